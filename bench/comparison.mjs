/**
 * What two sides of a benchmark have in common and what not: plain functions over reports, one per measurement session.
 */

/**
 * @param olds, news reports of equal cases, at least one each.
 * @returns `differences`: sentences about cases, counts and fingerprints that are not equal; `rows`: per case and
 *   figure the medians, their ratio, and whether the sessions of one side lie all beyond those of the other.
 */
export function compareReports(olds, news) {
  const tables = [compareTables(olds, news)];
  const breakdowns = [olds, news].map((reports) => reports.map(({ breakdown }) => breakdown));
  // Reports of earlier versions have none.
  if (!breakdowns.flat().includes(undefined)) tables.push(compareTables(...breakdowns));
  return {
    differences: tables.flatMap(({ differences }) => differences),
    rows: tables.flatMap(({ rows }) => rows),
  };
}

function compareTables(olds, news) {
  const { columns } = news[0];
  const nameKey = columns.find(({ kind }) => kind === "name").key;
  const differences = [];
  const rows = [];
  const namesOf = (report) => report.rows.map((row) => String(row[nameKey]));
  for (const name of new Set([...namesOf(olds[0]), ...namesOf(news[0])])) {
    const [before, after] = [olds, news].map((reports) => reports.map((report) => rowNamed(report, nameKey, name)));
    if (before.includes(undefined) || after.includes(undefined)) {
      differences.push(`${name}: only ${before.includes(undefined) ? "the new" : "the old"} side has it`);
      continue;
    }
    for (const column of columns) {
      if (column.kind === "name") continue;
      const compared = compareFigure(name, column, before, after);
      if (typeof compared === "string") differences.push(compared);
      else if (compared !== null) rows.push(compared);
    }
  }
  return { differences, rows };
}

function rowNamed(report, nameKey, name) {
  return report.rows.find((row) => String(row[nameKey]) === name);
}

/** A sentence when counts differ; null when there is nothing to compare. */
function compareFigure(name, { key, title, kind, decimals = 0 }, before, after) {
  const [olds, news] = [before, after].map((rows) => rows.map((row) => row[key]));
  if (kind === "count") {
    const values = new Set([...olds, ...news].map(String));
    return values.size === 1 ? null : `${name}: ${title} was ${listed(olds)}, is ${listed(news)}`;
  }
  if ([...olds, ...news].some((value) => typeof value !== "number")) return null;
  const [old, now] = [median(olds), median(news)];
  return { name, title, decimals, old, now, ratio: now / old, isBeyond: areApart(olds, news) };
}

function listed(values) {
  return [...new Set(values.map(String))].join(" or ");
}

/** Two values or fewer a side say nothing about the spread. */
function areApart(olds, news) {
  if (Math.min(olds.length, news.length) < 3) return false;
  return Math.max(...olds) < Math.min(...news) || Math.max(...news) < Math.min(...olds);
}

/** The lower one of an even number. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1];
}

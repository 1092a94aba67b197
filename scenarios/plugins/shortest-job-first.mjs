/** The job with the fewest tasks left goes first, and waits for its data. A job that has waited long goes before it. */
export default {
  name: "shortest-job",
  summary: "fewest tasks left first; waits for data, but not for long",
  waitsForData: true,

  checkOptions(options) {
    const known = ["waitSeconds", "patienceSeconds"];
    return Object.entries(options).flatMap(([key, value]) => {
      if (!known.includes(key)) return [{ key, message: `expected ${known.join(", ")}, found ${key}` }];
      return typeof value === "number" && value >= 0 ? [] : [{ key, message: "allowed a number of seconds from 0 on" }];
    });
  },

  create(cluster, { waitSeconds = 5, patienceSeconds = 300 }) {
    const served = new Map(); // job: when it last launched, or could first have done so
    const passed = new Map(); // job: when it first passed up a slot since it last had its data near

    return {
      jobReady: (job, nowUs) => served.set(job, nowUs),
      jobEnded: (job) => [served, passed].forEach((times) => times.delete(job)),
      launched(job, slotType, reach, nowUs) {
        served.set(job, nowUs);
        if (slotType === "map" && reach === "node") passed.delete(job);
      },

      choose({ slotType, jobs, nowUs, nearest }) {
        const secondsSince = (atUs = nowUs) => (nowUs - atUs) / 1e6;
        const left = (job) => job[slotType].pending + job[slotType].running;
        const late = (job) => (secondsSince(served.get(job)) > patienceSeconds ? 0 : 1);
        jobs.sort((a, b) => late(a) - late(b) || left(a) - left(b) || a.id - b.id);
        for (const job of jobs) {
          const waited = secondsSince(passed.get(job));
          const farthest = waited < waitSeconds ? "node" : waited < 2 * waitSeconds ? "rack" : "any";
          if (farthest === "any" || ["node", farthest].includes(nearest(job))) return { job, farthest };
          if (!passed.has(job)) passed.set(job, nowUs);
        }
        return null;
      },
    };
  },
};

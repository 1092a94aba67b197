const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs;

/**
 * JSON text as a value. Beyond what `JSON.parse` refuses, a key that occurs twice in an object is an error, for one of
 * the two would be lost, and so is `__proto__`, which is no ordinary key of an object.
 *
 * @returns {{value: unknown, problems: string[]}} `value` is undefined where there are problems
 */
export function parseJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { value: undefined, problems: [`found text that is not JSON: ${error.message}`] };
  }
  const problems = badKeys(text);
  return problems.length === 0 ? { value, problems } : { value: undefined, problems };
}

/** Only for valid JSON: there, a colon outside a string follows a key. */
function badKeys(text) {
  const problems = [];
  const open = [];
  let string = null;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token !== ":") string = match;
    else {
      const keys = open.at(-1);
      const key = JSON.parse(string[0]);
      const line = () => text.slice(0, string.index).split("\n").length;
      if (keys.has(key)) problems.push(`line ${line()}: found the key ${string[0]} twice, allowed is once`);
      if (key === "__proto__") problems.push(`line ${line()}: found the key "__proto__", allowed is any other`);
      keys.add(key);
    }
  }
  return problems;
}

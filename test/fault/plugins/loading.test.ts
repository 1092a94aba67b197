import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { PluginFolder } from "../../support/plugin-files.js";

const LOAD_EACH = fileURLToPath(new URL("load-each.mjs", import.meta.url));
const folder = new PluginFolder();
afterAll(() => {
  folder.remove();
});

const GOOD = `export default { name: "mine", summary: "s", create: () => ({ choose: () => null }) };\n`;

/** What loading each of the lists of files leads to: the schedulers, or the message. */
function outcomes(lists: readonly (readonly string[])[]): (string[] | string)[] {
  const printed = execFileSync(process.execPath, [LOAD_EACH, JSON.stringify(lists)], { encoding: "utf8" });
  return JSON.parse(printed.replaceAll(`${folder.path}/`, "")) as (string[] | string)[];
}

describe("a file of --plugin", () => {
  it("is loaded once by whichever path, may be a .js file outside a package of modules, and may import others", () => {
    const good = folder.write("good.mjs", GOOD);
    const typeless = folder.write("typeless.js", GOOD.replace("mine", "typeless"));
    folder.write("part.mjs", `export const summary = "from a part";\n`);
    const whole = folder.write(
      "whole.mjs",
      `import { summary } from "./part.mjs";\n${GOOD.replace('summary: "s"', "summary")}`,
    );
    expect(outcomes([[good, `${folder.path}/./good.mjs`], [typeless], [whole]])).toEqual([
      ["mine: s"],
      ["typeless: s"],
      ["mine: from a part"],
    ]);
  });

  const refused: Readonly<Record<string, string>> = {
    "syntax.mjs:2:13": `export default {\n  name: "x",,\n};\n`,
    "early.mjs:2:1": "export default {\n",
    "bytes.mjs:1:1": "\u001b[2J",
    "empty.mjs": "",
    "named.mjs": GOOD.replace("default", "const mine ="),
    "common.cjs": "module.exports = { name: 'x' };",
    "common.js": "module.exports = { name: 'x' };",
    "mixed.mjs": "module.exports = {};",
    "throws.mjs": "\nthrow new TypeError('boo');",
    "trap.mjs": "export default { get name() { throw new Error('n'); } };",
    "odd.mjs": "throw 7;",
    "gap.mjs": `import "./no-such.mjs";\n${GOOD}`,
    "text.mjs": "export default 'mine';",
    "func.mjs": "export default () => {};",
    "promise.mjs": "export default Promise.resolve({});",
    "nameless.mjs": GOOD.replace('"mine"', '"My Own"'),
    "proto.mjs": GOOD.replace('"mine"', '"__proto__"'),
    "clash.mjs": GOOD.replace('"mine"', '"hfs"'),
    "mute.mjs": GOOD.replace('"s"', "7"),
    "idle.mjs": GOOD.replace("create", "creates"),
    "check.mjs": GOOD.replace("create", "checkOptions: {}, create"),
    "starve.mjs": GOOD.replace("create", "mayStarve: 1, create"),
    "waits.mjs": GOOD.replace("create", "waitsForData: 3, create"),
    "keys.mjs": GOOD.replace("create", "waitForData: true, create"),
    "class.mjs": `class Mine { name = "mine"; summary = "s"; queue = []; maystarve = true; create() {} }\nexport default new Mine();\n`,
    "types.ts": "const name: string = 'x';\nexport default { name };\n",
    "notes.txt": "hello",
  };

  it("that is no scheduler, or cannot be read, is refused at its place", () => {
    const files = Object.entries(refused).map(([place, text]) => [folder.write(place.split(":")[0]!, text)]);
    folder.write("broken.mjs", "export default {,};\n");
    const importing = folder.write("whose.mjs", `import "./broken.mjs";\n${GOOD}`);
    const twins = ["one.mjs", "two.mjs"].map((name) => folder.write(name, GOOD));
    const messages = outcomes([...files, [importing], [`${folder.path}/none.mjs`], twins]);
    for (const [i, place] of [...Object.keys(refused), "whose.mjs", "none.mjs", "two.mjs"].entries()) {
      expect(String(messages[i]).startsWith(`${place}: `), `${place}: ${String(messages[i])}`).toBe(true);
    }
    expect(outcomes([[folder.path], [""]]).map((message) => typeof message)).toEqual(["string", "string"]);
  });
});

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
  return JSON.parse(printed.replaceAll(`${folder.path}/`, "").replaceAll(folder.path, "FOLDER")) as (
    string[] | string
  )[];
}

const outcome = (...files: string[]): string[] | string => outcomes([files])[0]!;

describe("a file of --plugin", () => {
  it("is loaded once, however often and by whichever path it is named", () => {
    const path = folder.write("good.mjs", GOOD);
    expect(outcome(path, `${folder.path}/./good.mjs`)).toEqual(["mine: s"]);
  });

  it("may import others", () => {
    folder.write("part.mjs", `export const summary = "from a part";\n`);
    const text = `import { summary } from "./part.mjs";\n${GOOD.replace('summary: "s"', "summary")}`;
    expect(outcome(folder.write("whole.mjs", text))).toEqual(["mine: from a part"]);
  });

  const refused: readonly (readonly [name: string, text: string])[] = [
    ["syntax.mjs", `export default {\n  name: "x",,\n};\n`],
    ["empty.mjs", ""],
    ["common.cjs", "module.exports = { name: 'x' };"],
    ["common.js", "module.exports = { name: 'x' };"],
    ["throws.mjs", "\nthrow new TypeError('boo');"],
    ["trap.mjs", "export default { get name() { throw new Error('n'); } };"],
    ["odd.mjs", "throw 7;"],
    ["text.mjs", "export default 'mine';"],
    ["nameless.mjs", GOOD.replace('"mine"', '"My Own"')],
    ["clash.mjs", GOOD.replace('"mine"', '"hfs"')],
    ["mute.mjs", GOOD.replace('"s"', "7")],
    ["idle.mjs", GOOD.replace("create", "creates")],
    ["check.mjs", GOOD.replace("create", "checkOptions: {}, create")],
    ["starve.mjs", GOOD.replace("create", "mayStarve: 1, create")],
    ["waits.mjs", GOOD.replace("create", "waitsForData: 3, create")],
    ["keys.mjs", GOOD.replace("create", "waitForData: true, create")],
    [
      "class.mjs",
      `class Mine { name = "mine"; summary = "s"; queue = []; maystarve = true; create() {} }\nexport default new Mine();\n`,
    ],
    ["types.ts", "const name: string = 'x';\nexport default { name };\n"],
  ];

  it("is refused with what was found and what is allowed", () => {
    const lists = refused.map(([name, text]) => [folder.write(name, text)]);
    lists.push([`${folder.path}/none.mjs`], [folder.path]);
    lists.push(["one.mjs", "two.mjs"].map((name) => folder.write(name, GOOD)));
    expect(outcomes(lists)).toMatchSnapshot();
  });
});

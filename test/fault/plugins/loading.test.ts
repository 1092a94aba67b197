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

const outcome = (...files: string[]): string[] | string => outcomes([files])[0]!;

describe("a file of --plugin", () => {
  it("is loaded once, however often and by whichever path it is named", () => {
    const path = folder.write("good.mjs", GOOD);
    expect(outcome(path, `${folder.path}/./good.mjs`)).toEqual(["mine: s"]);
  });

  it("may be a .js file that no package.json calls a module", () => {
    expect(outcome(folder.write("typeless.js", GOOD.replace("mine", "typeless")))).toEqual(["typeless: s"]);
  });

  it("may import others", () => {
    folder.write("part.mjs", `export const summary = "from a part";\n`);
    const text = `import { summary } from "./part.mjs";\n${GOOD.replace('summary: "s"', "summary")}`;
    expect(outcome(folder.write("whole.mjs", text))).toEqual(["mine: from a part"]);
  });

  const refused: readonly (readonly [name: string, text: string, message: RegExp])[] = [
    [
      "syntax.mjs",
      `export default {\n  name: "x",,\n};\n`,
      /^syntax\.mjs:2:13: found no JavaScript module: Unexpected/,
    ],
    ["early.mjs", "export default {\n", /^early\.mjs:2:1: found no JavaScript module: Unexpected end of input$/],
    ["empty.mjs", "", /^empty\.mjs: found no default export, allowed one/],
    ["named.mjs", GOOD.replace("default", "const mine ="), /^named\.mjs: found no default export/],
    ["common.cjs", "module.exports = { name: 'x' };", /^common\.cjs: found a CommonJS module, allowed an ES module/],
    ["common.js", "module.exports = { name: 'x' };", /^common\.js: found a CommonJS module, allowed an ES module/],
    ["mixed.mjs", "module.exports = {};", /^mixed\.mjs: found a CommonJS module \(module is not defined/],
    ["throws.mjs", "\nthrow new TypeError('boo');", /it threw TypeError: boo \(file:\/\/throws\.mjs:2:7\)$/],
    [
      "trap.mjs",
      "export default { get name() { throw new Error('n'); } };",
      /^trap\.mjs: found an object that throws when it is looked at: Error: n/,
    ],
    ["odd.mjs", "throw 7;", /^odd\.mjs: could not be loaded: it threw 7$/],
    [
      "hangs.mjs",
      "await new Promise(() => {});",
      /^hangs\.mjs: found a module that is still being evaluated after 0\.3 s/,
    ],
    [
      "gap.mjs",
      `import "./no-such.mjs";\n${GOOD}`,
      /^gap\.mjs: could not be loaded: it threw Error: Cannot find module/,
    ],
    ["text.mjs", "export default 'mine';", /found "mine", allowed an object with name, summary and create/],
    ["func.mjs", "export default () => {};", /found a function, allowed an object/],
    ["promise.mjs", "export default Promise.resolve({});", /found nothing \(undefined\) for name/],
    ["nameless.mjs", GOOD.replace('"mine"', '"My Own"'), /found "My Own" for name, allowed 1 to 40 small letters/],
    ["proto.mjs", GOOD.replace('"mine"', '"__proto__"'), /found "__proto__" for name/],
    ["clash.mjs", GOOD.replace('"mine"', '"hfs"'), /found the name "hfs", which a built-in scheduler has/],
    ["mute.mjs", GOOD.replace('"s"', "7"), /found 7 for summary, allowed a line/],
    ["idle.mjs", GOOD.replace("create", "creates"), /found nothing \(undefined\) for create, allowed a function/],
    ["check.mjs", GOOD.replace("create", "checkOptions: {}, create"), /found an object without keys for checkOptions/],
    ["starve.mjs", GOOD.replace("create", "mayStarve: 1, create"), /found 1 for mayStarve, allowed true or false/],
    ["waits.mjs", GOOD.replace("create", "waitsForData: 3, create"), /found 3 for waitsForData, allowed true or false/],
    [
      "keys.mjs",
      GOOD.replace("create", "waitForData: true, create"),
      /^keys\.mjs: found the key "waitForData", allowed create, checkOptions, name, summary, waitsForData, mayStarve; did you mean waitsForData\?$/,
    ],
    [
      "class.mjs",
      `class Mine { name = "mine"; summary = "s"; queue = []; maystarve = true; create() {} }\nexport default new Mine();\n`,
      /^class\.mjs: found the key "maystarve", allowed .*; did you mean mayStarve\?$/,
    ],
    [
      "types.ts",
      "const name: string = 'x';\nexport default { name };\n",
      /^types\.ts: found TypeScript, allowed an ES module in JavaScript: compile it first \(npx tsc, or npx esbuild/,
    ],
    ["notes.txt", "hello", /^notes\.txt: found a file whose name ends in neither \.mjs nor \.js, allowed an ES module/],
    ["bytes.mjs", "\u001b[2J", /^bytes\.mjs:1:1: found no JavaScript module/],
  ];
  const found = outcomes(refused.map(([name, text]) => [folder.write(name, text)]));
  it.each(refused.map(([name, , message], i) => [name, message, found[i]!] as const))(
    "%s is refused with what was found and what is allowed",
    (_name, message, text) => {
      expect(text).toMatch(message);
    },
  );

  it("has its syntax errors told as such where they are in a file that it imports", () => {
    folder.write("broken.mjs", "export default {,};\n");
    const path = folder.write("whose.mjs", `import "./broken.mjs";\n${GOOD}`);
    expect(outcome(path)).toMatch(/^whose\.mjs: found no JavaScript module in a file that it imports: Unexpected/);
  });

  it("that cannot be read is refused", () => {
    expect(outcome(`${folder.path}/none.mjs`)).toMatch(
      /^none\.mjs: found no readable file \(no such file or directory\)/,
    );
    expect(outcome(folder.path)).toMatch(/found a directory, allowed a file/);
    expect(outcome("")).toMatch(/found a directory|no readable file/);
  });

  it("has a name that no other has", () => {
    const [one, two] = ["one.mjs", "two.mjs"].map((name) => folder.write(name, GOOD));
    expect(outcome(one!, two!)).toMatch(/^two\.mjs: found the name "mine", which another plugin has/);
  });
});

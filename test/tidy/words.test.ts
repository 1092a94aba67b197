import { describe, expect, it } from "vitest";
import { commentsOpeningWith, declaredAs } from "./findings.js";
import { filesIn } from "./project-files.js";

const source = filesIn("src", [".ts"]);

/** Pronouns, prepositions, participles and bare quantities: a name says what it names. */
const NO_NAMES = new Set(
  (
    "found at own of one all most what left other others asked held rest many told taken which some each there who same " +
    "here heard both given nobody somebody"
  ).split(" "),
);

/** Properties that files, JSON, options and ECharts have: names that others write or read. */
const PROPERTIES = new Set(["all", "at", "held", "left", "many", "most", "of", "one", "what"]);

/** A comment begins with what the thing is, or what the function does. */
const NO_OPENINGS = ["What", "Who", "Whose", "How", "Where", "Nobody", "Somebody", "So many", "Of those"];

describe("the words of the source", () => {
  const declared = source.flatMap((file) => declaredAs(file, NO_NAMES));

  it("has no pronoun, preposition or bare quantity as a name, but for properties that users read", () => {
    const unwanted = declared.filter(({ name, isProperty }) => !isProperty || !PROPERTIES.has(name));
    expect(unwanted.map(({ name, place }) => `${place}: ${name}`)).toEqual([]);
  });

  it("excepts no property that there is not", () => {
    const properties = new Set(declared.filter(({ isProperty }) => isProperty).map(({ name }) => name));
    expect([...PROPERTIES].filter((name) => !properties.has(name))).toEqual([]);
  });

  it("opens no comment with a relative phrase", () => {
    expect(source.flatMap((file) => commentsOpeningWith(file, NO_OPENINGS))).toEqual([]);
  });
});

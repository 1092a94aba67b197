import { afterEach, describe, expect, it, vi } from "vitest";
import { tell } from "../../../dist/cli/index.js";

describe("a message that names what it was given", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const told = (text: string): string => {
    let written = "";
    vi.spyOn(process.stderr, "write").mockImplementation((piece) => (written += String(piece)) !== "");
    tell(text);
    return written;
  };

  it("shows the beginning of a word that has no end", () => {
    expect(told(`--seed: found "${"L".repeat(10_000)}", expected a text\n`)).toBe(
      `--seed: found "${"L".repeat(299)}… expected a text\n`,
    );
  });

  it("cuts no character in two", () => {
    expect(told(`${"😀".repeat(400)} end`)).toBe(`${"😀".repeat(300)}… end`);
  });

  it("leaves long lines of words, and paths of the usual length, as they are", () => {
    const text = `${"allowed, ".repeat(200)}/home/${"folder/".repeat(40)}\n`;
    expect(told(text)).toBe(text);
  });
});

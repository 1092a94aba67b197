import { describe, it } from "vitest";
import { DEATHS, endsAsUndisturbed, EXAMPLES } from "./recoveries.js";

describe.each(Object.entries(EXAMPLES))("%s: the run ends as if nothing had been when", (_, exampleOf) => {
  it.each(DEATHS.map((deaths) => [deaths[0], deaths] as const))("%s", async (__, deaths) => {
    await endsAsUndisturbed(exampleOf, deaths);
  });
});

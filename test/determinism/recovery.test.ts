import { it } from "vitest";
import { DEATHS, endsAsUndisturbed, EXAMPLES } from "./recoveries.js";

// Each example once, each way to die once; recovery.long.test.ts has all pairs.
it.each(Object.entries(EXAMPLES).map(([name, exampleOf], i) => [name, DEATHS[i]![0], exampleOf, DEATHS[i]!] as const))(
  "%s, when %s: the run ends as if nothing had been",
  async (_, __, exampleOf, deaths) => {
    await endsAsUndisturbed(exampleOf, deaths);
  },
);

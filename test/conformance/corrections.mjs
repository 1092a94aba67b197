/**
 * What a case says beside the assertions of the test that it restates (`derived`), where the source of that release has
 * it otherwise. The runner holds what the source says in its place, and says so. Assertions (`expect`) are never
 * corrected.
 */
export const CORRECTIONS = [
  {
    id: "yarn/fs/drf-hierarchy",
    step: 20,
    said: [{ what: "reserved", app: "app2", locality: "OFF_SWITCH" }],
    holds: [],
    why:
      "FSAppAttempt.isReservable of 3.4.1 asks isStarved(), and isUsageBelowShare compares by getQueue().getPolicy().getResourceCalculator(): " +
      "app2 of queue1.subqueue1 (drf) uses 3 of 12 vcores, more than its share of 2, so it reserves nothing",
  },
];

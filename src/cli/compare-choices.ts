/** What `bide compare` prints. */
export const COMPARE_FORMATS = ["text", "md", "csv", "json"] as const;
export type CompareFormat = (typeof COMPARE_FORMATS)[number];

/** What tables are printed as. */
export const TABLE_FORMATS = ["text", "md", "csv", "json"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

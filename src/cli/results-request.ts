import type { TableFormat } from "./table-formats.js";

/** What `bide results` is asked for. */
export interface ResultsCommandOptions {
  readonly measures?: readonly string[];
  readonly baseline?: string;
  readonly where?: string;
  readonly sort?: string;
  readonly descending?: boolean;
  readonly top?: number;
  readonly sql?: string;
  /** Bytes. */
  readonly sqlMemory?: number;
  /** Microseconds. */
  readonly sqlTimeout?: number;
  readonly tables?: boolean;
  readonly plot?: string;
  /** `-`: stdout. */
  readonly csv?: string;
  readonly parquet?: string;
  readonly format: TableFormat;
  readonly json?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

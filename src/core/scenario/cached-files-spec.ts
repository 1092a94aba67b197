/**
 * Generated jobs that need files on the nodes they run on (Hadoop's distributed cache): a share of the jobs, each one of some
 * files of equal size, all alike popular.
 */
export interface CachedFilesSpec {
  /** 0 to 1. */
  readonly share: number;
  /** >= 1. */
  readonly files: number;
  /** Of each file. */
  readonly bytes: number;
}

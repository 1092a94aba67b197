import { counted } from "../../core/kernel/index.js";
import type { FailureReason, YARN_LEVELS } from "../../core/platforms/yarn/index.js";

// Jobs of Hadoop's histories and traces, in one form (docs/formats/hadoop-histories.md).

export type LoggedLevel = (typeof YARN_LEVELS)[number];

/** A recorded job. Times are ms since 1970, or (SLS) since the start of the load; null: not recorded. */
export interface HadoopJob {
  readonly id: string;
  /** Empty, each: not recorded. */
  readonly name: string;
  readonly user: string;
  readonly queue: string;
  readonly submittedMs: number | null;
  readonly endedMs: number | null;
  readonly result: "succeeded" | "failed" | "unknown";
  readonly maps: readonly HadoopTask[];
  readonly reduces: readonly HadoopTask[];
  /** Container sizes of maps, reduces and the master. */
  readonly mapSize: HadoopSize;
  readonly reduceSize: HadoopSize;
  readonly masterSize: HadoopSize;
  /** Runs of its master, from when its process started. */
  readonly masters: readonly { readonly host: string; readonly fromMs: number }[];
  /** Times at which its master scheduled and launched the first task; undefined: not recorded. */
  readonly scheduledMs?: number | null;
  readonly firstLaunchMs?: number | null;
  /** Its configuration, if recorded. */
  readonly settings?: JobSettings;
  /** It ran under Hadoop 1, whose jobs have no master in a container. */
  readonly isOfHadoop1?: true;
  /** It never ran: a load says what such jobs are like. */
  readonly isDrawn?: true;
  /** Only the total use of its tasks is recorded. */
  readonly isSummed?: true;
}

export interface JobSettings {
  /** `mapreduce.job.reduce.slowstart.completedmaps` */
  readonly slowStart: number | null;
  /** `mapreduce.map.maxattempts` and `mapreduce.reduce.maxattempts` */
  readonly mapMaxAttempts: number | null;
  readonly reduceMaxAttempts: number | null;
}

export interface HadoopSize {
  readonly memory: number | null;
  readonly vcores: number | null;
}

export const UNKNOWN_SIZE: HadoopSize = { memory: null, vcores: null };

/** The attempt of a task that counts, and those lost before it. */
export interface HadoopTask {
  /** The number of equal tasks. */
  readonly count: number;
  /** Start and end of its run; null: only the length is recorded. */
  readonly launchMs: number | null;
  readonly finishMs: number | null;
  readonly runMs: number;
  /** Bytes of input and CPU time; undefined, each: not recorded. */
  readonly bytes?: number;
  readonly cpuMs?: number;
  /**
   * Earlier attempts that the simulation also loses, in order, and the launch of the first of them; undefined: there is
   * none.
   */
  readonly failures?: readonly { readonly heldMs: number; readonly reason: FailureReason }[];
  readonly firstMs?: number;
  /** Number of attempts that a simulation cannot repeat, and the sum of their times. */
  readonly unreplayed?: { readonly attempts: number; readonly ms: number };
  /** The attempt that counts succeeded. */
  readonly hasSucceeded?: true;
  /** It failed too often: the last of `failures` ended its job. */
  readonly hasFailed?: true;
  /** The time at which a reduce had all map output; null: not recorded. */
  readonly shuffledMs: number | null;
  /** Its host; empty: not recorded. */
  readonly host: string;
  readonly level: LoggedLevel | null;
  /** Hosts of its input, by name. */
  readonly places: readonly string[];
}

/** A node of a list of nodes. */
export interface HadoopNode {
  readonly name: string;
  readonly rack: string;
  readonly memory: number;
  readonly vcores: number;
}

type Section = "folded" | "guessed" | "leftOut";

/** Problems that are reported one by one. */
const MOST_EXAMPLES = 5;

/** The result of reading all files. */
export class HadoopReading {
  readonly jobs: (HadoopJob & { readonly file: string })[] = [];
  readonly ids = new Set<string>();
  /** Nodes of lists of nodes; empty: there was no list. */
  readonly nodes: HadoopNode[] = [];
  /** By host, as far as any record says. */
  readonly racks = new Map<string, string>();
  readonly read = { files: 0, lines: 0, jobs: 0, tasks: 0, attempts: 0 };
  /** Hosts that a tree of racks names. */
  readonly hosts = new Set<string>();
  readonly examples: string[] = [];
  readonly folded: string[] = [];
  readonly guessed: string[] = [];
  readonly leftOut: string[] = [];
  /** Counts over all files, by their words. */
  private readonly counts = new Map<string, { readonly section: Section; readonly noun: string; count: number }>();

  /** Counts `by` of `noun` in the section, with `words` about them. */
  count(section: Section, noun: string, words: string, by = 1): void {
    const key = `${noun}${/^(?:[:,]|$)/.test(words) ? "" : " "}${words}`;
    const known = this.counts.get(key);
    if (known !== undefined) known.count += by;
    else this.counts.set(key, { section, noun, count: by });
  }

  /** All sentences, section by section. */
  sections(): Readonly<Record<Section, readonly string[]>> {
    const { folded, guessed, leftOut, examples } = this;
    const sentences = { folded: [...folded], guessed: [...guessed], leftOut: [...leftOut] };
    for (const [key, { section, noun, count }] of this.counts) {
      if (count > 0) sentences[section].push(`${counted(count, noun)}${key.slice(noun.length)}`);
    }
    sentences.leftOut.push(...examples);
    return sentences;
  }

  example(file: string, line: number, message: string): void {
    if (this.examples.length < MOST_EXAMPLES) {
      this.examples.push(`such as ${file}${line === 0 ? "" : `:${line}`}: ${message}`);
    }
  }

  rackOf(host: string, rack: string): void {
    if (host !== "" && rack !== "" && !this.racks.has(host)) this.racks.set(host, rack);
  }
}

/** A name of a host or rack: without port, slashes and what tables give a meaning. */
export function plainName(text: string): string {
  return text
    .trim()
    .replace(/^\/+/, "")
    .replace(/:\d+$/, "")
    .replace(/[\s,"/\p{Cc}]+/gu, "-")
    .slice(0, 100);
}

/**
 * An event log of Spark, made line by line. Times are ms from the start of the application; a task runs 20 ms less than
 * it takes.
 */
export class SparkLog {
  readonly lines: string[] = [];
  private tasks = 0;

  constructor(
    readonly originMs = 1_700_000_000_000,
    readonly id = "app-20240101000000-0001",
  ) {}

  event(name: string, rest: object): this {
    this.lines.push(JSON.stringify({ Event: name.includes(".") ? name : `SparkListener${name}`, ...rest }));
    return this;
  }

  start(properties: Readonly<Record<string, string>> = {}, version = "3.5.1"): this {
    this.event("LogStart", { "Spark Version": version });
    this.event("EnvironmentUpdate", { "JVM Information": {}, "Spark Properties": properties });
    return this.event("ApplicationStart", {
      "App Name": "test",
      "App ID": this.id,
      Timestamp: this.originMs,
      User: "ann",
    });
  }

  end(atMs: number): this {
    return this.event("ApplicationEnd", { Timestamp: this.originMs + atMs });
  }

  executor(id: string, host: string, cores: number, atMs = 0): this {
    return this.event("ExecutorAdded", {
      Timestamp: this.originMs + atMs,
      "Executor ID": id,
      "Executor Info": { Host: host, "Total Cores": cores },
    });
  }

  removed(id: string, atMs: number): this {
    return this.event("ExecutorRemoved", {
      Timestamp: this.originMs + atMs,
      "Executor ID": id,
      "Removed Reason": "idle",
    });
  }

  job(id: number, atMs: number, stages: readonly number[], properties: Readonly<Record<string, string>> = {}): this {
    return this.event("JobStart", {
      "Job ID": id,
      "Submission Time": this.originMs + atMs,
      "Stage Infos": stages.map((stage) => ({ "Stage ID": stage, "Stage Name": `stage ${stage}` })),
      "Stage IDs": stages,
      Properties: properties,
    });
  }

  jobEnd(id: number, atMs: number, result = "JobSucceeded"): this {
    return this.event("JobEnd", {
      "Job ID": id,
      "Completion Time": this.originMs + atMs,
      "Job Result": { Result: result },
    });
  }

  /** @param rest more of its information, such as its parents. */
  stage(id: number, atMs: number, rest: object = {}, attempt = 0): this {
    return this.event("StageSubmitted", { "Stage Info": this.info(id, attempt, { "Submission Time": atMs }, rest) });
  }

  stageEnd(id: number, fromMs: number, atMs: number, rest: object = {}, attempt = 0): this {
    const times = { "Submission Time": fromMs, "Completion Time": atMs };
    return this.event("StageCompleted", { "Stage Info": this.info(id, attempt, times, rest) });
  }

  /** A task that has started and ended. @param rest what is else in its information. */
  task(
    stage: number,
    index: number,
    [executor, host]: readonly [string, string],
    [launchMs, finishMs]: readonly [number, number],
    locality = "PROCESS_LOCAL",
    rest: {
      readonly outcome?: string;
      readonly attempt?: number;
      readonly info?: object;
      /** What it runs; undefined: 20 ms less than it takes. */
      readonly runMs?: number;
    } = {},
  ): this {
    const info = {
      "Task ID": this.tasks++,
      Index: index,
      Attempt: 0,
      "Executor ID": executor,
      Host: host,
      Locality: locality,
      "Launch Time": this.originMs + launchMs,
      "Getting Result Time": 0,
      Speculative: false,
      ...rest.info,
    };
    const of = { "Stage ID": stage, "Stage Attempt ID": rest.attempt ?? 0 };
    this.event("TaskStart", { ...of, "Task Info": { ...info, "Finish Time": 0 } });
    return this.event("TaskEnd", {
      ...of,
      "Task End Reason": { Reason: rest.outcome ?? "Success" },
      "Task Info": { ...info, "Finish Time": this.originMs + finishMs },
      "Task Metrics": {
        "Executor Deserialize Time": 5,
        "Executor Run Time": rest.runMs === undefined ? Math.max(0, finishMs - launchMs - 26) : rest.runMs - 6,
        "Result Serialization Time": 1,
      },
    });
  }

  private info(id: number, attempt: number, times: Readonly<Record<string, number>>, rest: object): object {
    const at = Object.fromEntries(Object.entries(times).map(([key, ms]) => [key, this.originMs + ms]));
    const name = { "Stage ID": id, "Stage Attempt ID": attempt, "Stage Name": `stage ${id}`, "Parent IDs": [] };
    return { ...name, "RDD Info": [], ...at, ...rest };
  }

  text(): string {
    return `${this.lines.join("\n")}\n`;
  }
}

/**
 * Frames of zstd (RFC 8878) with blocks that are not compressed. @param windowBits of the window that the frame asks
 * for: 10 to 41. @param most bytes of a block.
 */
export function zstdOf(bytes: Uint8Array, windowBits = 17, most = 1 << 16): Buffer {
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (windowBits - 10) << 3])];
  for (let at = 0; at < bytes.length || at === 0; at += most) {
    const block = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.length;
    const head = Buffer.alloc(3);
    head.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    parts.push(head, Buffer.from(block));
  }
  return Buffer.concat(parts);
}

/**
 * A frame of zstd of `text`, of spaces, and of `text` again by one reference that goes back over all of them (RFC 8878,
 * section 3.1.1.3).
 * @param text of 2,051 to 4,098 bytes. @param spaces a multiple of 128 KiB.
 */
export function zstdWithFarReference(text: Uint8Array, spaces: number): Buffer {
  const blockOf = (type: number, size: number, isLast: boolean): Buffer => {
    const head = Buffer.alloc(3);
    head.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3);
    return head;
  };
  const [RAW, REPEATED, PACKED] = [0, 1, 2];
  const most = 1 << 17;
  const filler = Array.from({ length: spaces / most }, () => [blockOf(REPEATED, most, false), Buffer.from(" ")]).flat();
  // Offsets are written plus 3: a code that says how many bits follow, and the bits.
  const offset = text.length + spaces + 3;
  const offsetBits = Math.floor(Math.log2(offset));
  const [lengthCode, lengthBits] = [47, 11];
  const bits = (1n << BigInt(offsetBits + lengthBits)) | (BigInt(offset - 2 ** offsetBits) << BigInt(lengthBits));
  const stream = Buffer.alloc(8);
  stream.writeBigUInt64LE(bits | BigInt(text.length - 2051));
  const streamBytes = Math.floor((offsetBits + lengthBits) / 8) + 1;
  // No literals; one sequence; a table of one symbol each for literals, offsets and lengths.
  const packed = Buffer.concat([Buffer.from([0, 1, 0x54, 0, offsetBits, lengthCode]), stream.subarray(0, streamBytes)]);
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (27 - 10) << 3]);
  const first = [blockOf(RAW, text.length, false), Buffer.from(text)];
  return Buffer.concat([head, ...first, ...filler, blockOf(PACKED, packed.length, true), packed]);
}

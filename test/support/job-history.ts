// Job histories of MapReduce as Hadoop writes them, made line by line.

const HEAD = ["Avro-Json", '{"type":"record","name":"Event","namespace":"org.apache.hadoop.mapreduce.jobhistory"}'];

/** One job. Times are seconds after an instant of 2023. */
export class HistoryFile {
  readonly lines: string[] = [];

  constructor(readonly number = 1) {}

  get id(): string {
    return `1700000000000_${String(this.number).padStart(4, "0")}`;
  }

  event(type: string, record: string, fields: Record<string, unknown>): this {
    this.lines.push(JSON.stringify({ type, event: { [`org.apache.hadoop.mapreduce.jobhistory.${record}`]: fields } }));
    return this;
  }

  submit(at: number, more: Record<string, unknown> = {}): this {
    const fields = { jobid: `job_${this.id}`, jobName: "sort", userName: "ann", submitTime: ms(at) };
    return this.event("JOB_SUBMITTED", "JobSubmitted", { ...fields, jobQueueName: "root.etl", ...more });
  }

  /**
   * A task with one attempt. @param at when it was asked for, began and ended. @param more of the end of the attempt.
   */
  task(
    task: number,
    at: readonly [asked: number, from: number, until: number],
    { type = "m", splits = "", host = "n1", locality = "" as string | null, more = {} as Record<string, unknown> } = {},
  ): this {
    const [taskid, attemptId] = this.names(task, type);
    const word = type === "m" ? "MAP" : "REDUCE";
    this.event("TASK_STARTED", "TaskStarted", { taskid, taskType: word, startTime: ms(at[0]), splitLocations: splits });
    this.event(`${word}_ATTEMPT_STARTED`, "TaskAttemptStarted", {
      taskid,
      attemptId,
      startTime: ms(at[1]),
      trackerName: host,
      locality: locality === null || locality === "" ? null : { string: locality },
    });
    return this.event(`${word}_ATTEMPT_FINISHED`, type === "m" ? "MapAttemptFinished" : "ReduceAttemptFinished", {
      taskid,
      attemptId,
      finishTime: ms(at[2]),
      hostname: host,
      rackname: "/r1",
      ...more,
    });
  }

  names(task: number, type = "m", attempt = 0): [task: string, attempt: string] {
    const of = `${this.id}_${type}_${String(task).padStart(6, "0")}`;
    return [`task_${of}`, `attempt_${of}_${attempt}`];
  }

  finish(at: number, type = "JOB_FINISHED"): this {
    return this.event(type, "JobFinished", { jobid: `job_${this.id}`, finishTime: ms(at) });
  }

  text(lines: readonly string[] = this.lines): string {
    return [...HEAD, ...lines].map((line) => `${line}\n`).join("\n");
  }
}

export function ms(seconds: number): number {
  return 1_700_000_000_000 + seconds * 1000;
}

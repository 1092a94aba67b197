import { describe, expect, it } from "vitest";
import { JobTable, MapOutputs } from "../../../dist/core/platforms/hadoop/index.js";

const entry = { id: 0, pool: 0, user: 0, priority: 2, startUs: 0, slowStartMaps: 1, firstBlock: -1 };

describe("where finished maps left their output", () => {
  it("is told once, in the order of tasks, for the node asked about", () => {
    const jobs = new JobTable();
    const outputs = new MapOutputs(jobs);
    const job = jobs.enter({ ...entry, maps: 5, reduces: 1 });
    outputs.jobEntered(job);
    outputs.add(job, 4, 7);
    outputs.add(job, 0, 7);
    outputs.add(job, 2, 8);
    expect(outputs.takeFrom(job, 7)).toEqual([0, 4]);
    expect(outputs.takeFrom(job, 7)).toEqual([]);
    outputs.add(job, 4, 8);
    expect(outputs.takeFrom(job, 8)).toEqual([2, 4]);
  });

  it("matters to nobody where a job has no reduces", () => {
    const jobs = new JobTable();
    const outputs = new MapOutputs(jobs);
    const job = jobs.enter({ ...entry, maps: 5, reduces: 0 });
    outputs.jobEntered(job);
    outputs.add(job, 4, 7);
    expect(outputs.takeFrom(job, 7)).toEqual([]);
    outputs.jobLeft(job);
  });

  it("is forgotten when the job goes, whoever has its handle or its memory next", () => {
    const jobs = new JobTable();
    const outputs = new MapOutputs(jobs);
    const job = jobs.enter({ ...entry, maps: 4, reduces: 1 });
    outputs.jobEntered(job);
    outputs.add(job, 1, 7);
    outputs.jobLeft(job);
    jobs.leave(job);
    expect(jobs.enter({ ...entry, maps: 3, reduces: 2 })).toBe(job);
    outputs.jobEntered(job);
    expect(outputs.takeFrom(job, 7)).toEqual([]);
  });
});

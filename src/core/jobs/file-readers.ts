import { assert } from "../kernel/assert.js";

/** Which present jobs read each file. */
export class FileReaders {
  private readonly readers = new Map<number, number[]>();

  of(file: number): readonly number[] {
    return this.readers.get(file) ?? [];
  }

  add(file: number, job: number): void {
    const readers = this.readers.get(file);
    if (readers === undefined) this.readers.set(file, [job]);
    else readers.push(job);
  }

  remove(file: number, job: number): void {
    const readers = this.readers.get(file);
    assert(readers !== undefined, "a job reads a file that has no readers");
    if (readers.length === 1) this.readers.delete(file);
    else readers.splice(readers.indexOf(job), 1);
  }
}

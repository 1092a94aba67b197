import type { FileSpec } from "./job.js";

/** Files by name, as long as their largest reader needs. */
export class SharedFiles {
  private readonly names: string[] = [];
  private readonly blocks: number[] = [];
  private readonly byName = new Map<string, number>();

  /** Index of the shared file `name`; of a new file that nobody else can name, called `own/<job>`, when it is empty. */
  indexOf(name: string, job: string, blocks: number): number {
    const known = name === "" ? undefined : this.byName.get(name);
    if (known !== undefined) {
      this.blocks[known] = Math.max(this.blocks[known], blocks);
      return known;
    }
    const index = this.names.length;
    if (name !== "") this.byName.set(name, index);
    this.names.push(name === "" ? `own/${job}` : name);
    this.blocks.push(blocks);
    return index;
  }

  list(): FileSpec[] {
    return this.names.map((name, index) => ({ name, blocks: this.blocks[index] }));
  }
}

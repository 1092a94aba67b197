interface Refusal {
  readonly framework: number;
  readonly maps: number;
  readonly reduces: number;
  readonly untilUs: number;
}

/** Which frameworks left slots of which nodes free, a short while ago. */
export class Refusals {
  private readonly onNode: Refusal[][];

  constructor(nodes: number) {
    this.onNode = Array.from({ length: nodes }, () => []);
  }

  /** The framework does not want so many free slots of the node until then. Takes the place of what it refused there before. */
  add(framework: number, node: number, maps: number, reduces: number, untilUs: number): void {
    const refusals = this.onNode[node];
    const at = refusals.findIndex((refusal) => refusal.framework === framework);
    refusals.splice(at < 0 ? refusals.length : at, 1, { framework, maps, reduces, untilUs });
  }

  /** It refused as many slots there, or more, and not long ago. */
  blocks(framework: number, node: number, maps: number, reduces: number, nowUs: number): boolean {
    for (const refusal of this.onNode[node]) {
      if (refusal.framework !== framework) continue;
      return nowUs < refusal.untilUs && maps <= refusal.maps && reduces <= refusal.reduces;
    }
    return false;
  }
}

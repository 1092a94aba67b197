/**
 * Machines with a free slot that a plan has been waiting for longer than they may be silent: they are down, or take nothing
 * for the load they have. Nothing is planned for them until they offer a slot again.
 */
export class MuteMachines {
  /** By machine: since when a plan has waited for it, Infinity: none does; and whether it is mute. */
  private readonly awaitedUs: Float64Array;
  private readonly mute: Uint8Array;

  constructor(
    machines: number,
    private readonly patienceUs: number,
  ) {
    this.awaitedUs = new Float64Array(machines).fill(Infinity);
    this.mute = new Uint8Array(machines);
  }

  isMute(machine: number): boolean {
    return this.mute[machine] !== 0;
  }

  /** A plan was made. */
  planned(nowUs: number, isAwaited: (machine: number) => boolean): void {
    const { awaitedUs } = this;
    for (let machine = 0; machine < awaitedUs.length; machine++) {
      if (!isAwaited(machine)) awaitedUs[machine] = Infinity;
      else if (awaitedUs[machine] === Infinity) awaitedUs[machine] = nowUs;
    }
  }

  /** Marks those that have been waited for too long; whether there are new ones. */
  anyFallsMute(nowUs: number): boolean {
    const { awaitedUs, mute, patienceUs } = this;
    let any = false;
    for (let machine = 0; machine < awaitedUs.length; machine++) {
      if (awaitedUs[machine] + patienceUs >= nowUs || mute[machine] !== 0) continue;
      mute[machine] = 1;
      any = true;
    }
    return any;
  }

  /** The machine offers a slot; whether it was mute. */
  heard(machine: number): boolean {
    this.awaitedUs[machine] = Infinity;
    if (this.mute[machine] === 0) return false;
    this.mute[machine] = 0;
    return true;
  }
}

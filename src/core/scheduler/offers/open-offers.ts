/** Slots of a node that a framework was offered and has not answered for. */
export interface OpenOffer {
  readonly framework: number;
  readonly node: number;
  readonly maps: number;
  readonly reduces: number;
  readonly atUs: number;
}

/** Offers that wait for an answer, by node in the order in which they were made. */
export class OpenOffers {
  /** How many there are. */
  count = 0;
  private readonly onNode = new Map<number, OpenOffer[]>();

  add(offer: OpenOffer): void {
    const offers = this.onNode.get(offer.node);
    if (offers === undefined) this.onNode.set(offer.node, [offer]);
    else offers.push(offer);
    this.count++;
  }

  /** Takes out those of a node for which `isDue`. */
  takeDue(node: number, isDue: (offer: OpenOffer) => boolean): readonly OpenOffer[] {
    const offers = this.onNode.get(node);
    if (offers === undefined) return [];
    const due = offers.filter(isDue);
    if (due.length === offers.length) this.onNode.delete(node);
    else if (due.length > 0)
      this.onNode.set(
        node,
        offers.filter((offer) => !due.includes(offer)),
      );
    this.count -= due.length;
    return due;
  }

  /** The nodes that have some, in order of number. */
  nodes(): readonly number[] {
    return [...this.onNode.keys()].sort((a, b) => a - b);
  }

  /** Free slots of a node that are offered to somebody. */
  held(node: number): { readonly maps: number; readonly reduces: number } {
    const offers = this.onNode.get(node) ?? [];
    return {
      maps: offers.reduce((sum, offer) => sum + offer.maps, 0),
      reduces: offers.reduce((sum, offer) => sum + offer.reduces, 0),
    };
  }
}

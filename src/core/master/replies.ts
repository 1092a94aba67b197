import type { CommandsOf } from "../cluster/commands.js";
import { TOLD, type Attempts } from "./attempts.js";
import type { LaunchDetails } from "./launch-details.js";
import type { MapProgress } from "./map-progress.js";
import type { NodeNotes } from "./node-notes.js";

export interface RepliesParts {
  readonly attempts: Attempts;
  /** Reduces to be told that their maps are all done, and attempts to be killed. */
  readonly notices: NodeNotes;
  readonly killOrders: NodeNotes;
  readonly progress: MapProgress | null;
  readonly details: LaunchDetails | null;
  readonly commandsOf: CommandsOf;
}

/** What replies to heartbeats say of running attempts. */
export class Replies {
  constructor(private readonly parts: RepliesParts) {}

  /** Nodes of word `w` with an attempt that must be told something. */
  awaitedNodes(w: number): number {
    const { notices, killOrders, progress } = this.parts;
    const bits = notices.nodeBits[w] | killOrders.nodeBits[w];
    return progress === null ? bits : bits | progress.notes.nodeBits[w];
  }

  /** The heartbeat of the node is answered; returns how many attempts it was told to kill. */
  tell(node: number, nowUs: number): number {
    const { attempts, notices, killOrders, progress, details } = this.parts;
    const commands = this.parts.commandsOf(node);
    if (progress !== null) {
      for (const slot of progress.notes.take(node)) {
        commands.mapsAdvanced(node, nowUs, slot, progress.availableFor(slot));
      }
    }
    for (const slot of notices.take(node)) {
      commands.mapsFinished(node, nowUs, slot);
      attempts.knowsMapsDone[slot] = 1;
    }
    const doomed = killOrders.take(node);
    for (const place of doomed) {
      commands.kill(node, nowUs, place);
      details?.reads.killed(node, place, nowUs);
      attempts.fate[place] = TOLD;
    }
    return doomed.length;
  }
}

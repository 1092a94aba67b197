import { floats } from "../../kernel/index.js";
import { Attempts } from "../../record/index.js";

/** Containers that ran anything. Those of masters are of no stage, and their task is -1, too. */
export class YarnAttempts extends Attempts {
  /** When the container was given. */
  givenUs = floats();
}

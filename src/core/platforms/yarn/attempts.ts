import { floats } from "../../kernel/index.js";
import { Attempts } from "../../record/index.js";

/** Containers that ran something. Containers of masters have -1 for stage and task. */
export class YarnAttempts extends Attempts {
  /** When the container was given. */
  givenUs = floats();
}

import { InputError, parseScenario, type LoadOptions } from "../../../dist/io/index.js";

/** The message with which a text is refused; fails when it is accepted or refused in any other way. */
export function refusal(text: string, options: LoadOptions = {}): string {
  return refusalOf(() => parseScenario(text, "x.yaml", options));
}

/** The message of the InputError that `act` throws. */
export function refusalOf(act: () => unknown): string {
  let result: unknown;
  try {
    result = act();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(result).slice(0, 300)}`);
}

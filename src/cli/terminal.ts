/** Writes to stderr what is no result: progress, notes, problems. */
export function tell(text: string): void {
  process.stderr.write(text);
}

/** A stream whose reader has gone must not end the run; `print` sees every other error itself. */
export function ignoreClosedStreams(): void {
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
}

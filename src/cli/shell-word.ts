/** As a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./=:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

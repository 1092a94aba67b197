/* eslint-disable no-control-regex -- they are what is looked for */
// Control, direction-changing and line-breaking characters must not reach a terminal.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
// The same but for the ends of lines and what `bold` and `dim` write.
const HARMFUL =
  /\u001b\[(?:1|2|22)m|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Text with every unprintable character written as its code. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, codeOf);
}

/** Several lines, as they may reach a terminal: what could act on it is written as its code; bold and dim stay. */
export function harmless(text: string): string {
  return text.replace(HARMFUL, (found) => (found.length > 1 ? found : codeOf(found)));
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

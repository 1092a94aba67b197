/** The colours of figures, the same in files and in pages. */

/**
 * Okabe and Ito's colours, distinct with any kind of colour vision; their yellow is darker here, as white paper would
 * swallow it.
 */
export const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#b8a800"];

/** From low to high: viridis, which is even to the eye, in grey too. */
export const COLOUR_MAP = [
  ...["#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c"],
  ...["#22a884", "#44bf70", "#7ad151", "#bddf26", "#fde725"],
];

/** Cells of a heat map below this part of the range are so dark that their numbers are white. */
export const DARK = 0.55;

/** The part of the map used for lines: its ends are lost on black, and on white. */
const LINES = { first: 0.15, last: 0.9 };

/** A colour for each of so many curves; of more than the palette has, those of the map. */
export function seriesColours(count: number): string[] {
  if (count <= PALETTE.length) return PALETTE.slice(0, count);
  return Array.from({ length: count }, (_, i) => mapped(LINES.first + ((LINES.last - LINES.first) * i) / (count - 1)));
}

function mapped(part: number): string {
  const place = part * (COLOUR_MAP.length - 1);
  const below = Math.min(Math.floor(place), COLOUR_MAP.length - 2);
  const [from, to] = [COLOUR_MAP[below], COLOUR_MAP[below + 1]].map((colour) => parseInt(colour.slice(1), 16));
  const mixed = [16, 8, 0].map((shift) => {
    const [a, b] = [(from >> shift) & 255, (to >> shift) & 255];
    return Math.round(a + (b - a) * (place - below))
      .toString(16)
      .padStart(2, "0");
  });
  return `#${mixed.join("")}`;
}

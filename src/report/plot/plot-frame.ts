/** A part of a Vega-Lite specification. Names and labels of users are values in it, never fields or expressions. */
export type Spec = Readonly<Record<string, unknown>>;

const FONT = "Helvetica, Arial, sans-serif";
export const INK = "#24292f";
const QUIET = "#57606a";
const GRID = "#e6e8eb";

/** What all pictures have in common: titles and fonts. */
export function framed(title: string, subtitles: readonly string[], parts: Spec): Spec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    ...{ background: "white", padding: 12 },
    title: {
      ...{ text: title, subtitle: subtitles, anchor: "start", frame: "group", offset: 14, limit: 900 },
      ...{ fontSize: 15, subtitleFontSize: 12, subtitlePadding: 6, color: INK, subtitleColor: QUIET },
    },
    ...parts,
    config: {
      font: FONT,
      // Descriptions of single marks would be made by expressions from names of users.
      aria: false,
      view: { stroke: null },
      axis: {
        ...{ labelFontSize: 12, titleFontSize: 13, titleFontWeight: "normal", titlePadding: 10, labelColor: INK },
        ...{ titleColor: INK, gridColor: GRID, domainColor: QUIET, tickColor: QUIET, labelOverlap: true },
        ...{ labelLimit: 180, titleLimit: 600 },
      },
      legend: {
        ...{ labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelColor: INK, titleColor: INK },
        ...{ labelLimit: 220, titleLimit: 220, symbolLimit: 60 },
        ...{ symbolOpacity: 1, symbolStrokeWidth: 0 },
      },
    },
  };
}

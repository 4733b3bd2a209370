/**
 * Colours that people with any kind of colour vision can tell apart: Okabe and Ito's for categories (2008), and
 * viridis for scales (Smith and van der Walt, 2015; CC0), which also stays ordered in grey print.
 */

export const white = '#ffffff';
/** Text and axes; neutral, so that a picture of grey images is a grey file. */
export const ink = '#222222';
/** Second-rank text. */
export const muted = '#606060';
/** Grid lines and hairlines around light images. */
export const faint = '#dcdcdc';
/** Frames that point something out. */
export const accent = '#d55e00';

/** Okabe and Ito's colours without their yellow, which is too pale for points and lines on white. */
export const categories = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#000000'] as const;

/** The colour of category `index`; after seven they begin again, and marks change their form instead (`marks.ts`). */
export function categoryColour(index: number): string {
  return categories[index % categories.length];
}

/** The colour of a value on a scale over `low` … `high`; undefined where there is no number. */
export function scaleColour(value: number, [low, high]: readonly [number, number] = [0, 1]): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const position = high > low ? (value - low) / (high - low) : 0.5;
  const last = viridis.length / 6 - 1;
  const exact = Math.min(1, Math.max(0, position)) * last;
  const index = Math.floor(exact);
  const anchor = (i: number) => channels(`#${viridis.slice(i * 6, i * 6 + 6)}`);
  const next = anchor(Math.min(last, index + 1));
  return hex(anchor(index).map((value, i) => Math.round(value + (next[i] - value) * (exact - index))));
}

/** Red, green and blue of `#rrggbb`, 0 … 255. */
export function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

/** The text colour that stands out more on `colour`. */
export function inkOn(colour: string): string {
  return contrastRatio(ink, colour) > contrastRatio(white, colour) ? ink : white;
}

/** The contrast of two colours as the Web Content Accessibility Guidelines define it, from 1 to 21. */
export function contrastRatio(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const linear = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

function hex(values: number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Every fifth of viridis’s 256 colours, as hexadecimal triples. */
const viridis =
  '44015446085c471063481769481d6f482475472a7a46307e453781433d844142873f48893d4e8a3a538b38598c355e8d33638d31688e2e6d8e2c718e2a768e297b8e27808e25848e23898e218e8d20928c1f978b1e9c891fa18821a58524aa8328ae802eb37c35b7793dbc7446c06f50c46a5ac86465cb5e70cf577cd25089d54895d840a2da37b0dd2fbddf26cae11fd8e219e5e419f1e51dfde725';

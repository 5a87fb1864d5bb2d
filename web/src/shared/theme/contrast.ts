/** Name of a colour token (tokens.css). */
type Token = string;

/**
 * Pair of colours that touch on a screen. `kind` is their use, and the ratio is what WCAG 2.2
 * requires.
 */
export interface Pair {
  kind: 'text' | 'part';
  ink: Token;
  ground: Token;
  least: 4.5 | 3;
}

/** Common background colours. Every colour in `inks` is readable on each of them. */
const grounds: Token[] = [
  'color-bg',
  'color-paper',
  'color-paper-2',
  'color-sunken',
  'color-neutral-soft',
  'color-primary-soft',
  'color-error-soft',
  'color-warning-soft',
  'color-info-soft',
  'heat-0',
];

/** Common text colours. Each is readable on every colour in `grounds`. */
const inks: Token[] = [
  'color-text',
  'color-text-2',
  'color-text-3',
  'color-primary-ink',
  'color-neutral-ink',
  'color-error-ink',
  'color-warning-ink',
  'color-info-ink',
];

/**
 * Text colours with special backgrounds: buttons, hovered buttons, dark panels, levels of the heat
 * map, lines of the chart.
 */
const own: Record<Token, Token[]> = {
  'color-on-primary': ['color-primary', 'color-primary-ink'],
  'color-primary-ink': ['color-primary-soft-2', 'chart-band'],
  'color-on-side': ['color-side'],
  'color-on-deep': ['color-deep'],
  'color-on-deep-2': ['color-deep'],
  'color-deep': ['color-on-deep', 'color-on-deep-2'],
  'color-bg': ['color-text'],
  'color-paper': ['color-error-ink'],
  'color-text': ['heat-1', 'heat-2', 'color-divider', 'chart-band'],
  'color-text-2': ['chart-band'],
  'color-text-3': ['chart-band'],
  'heat-on-3': ['heat-3'],
  'heat-on-4': ['heat-4'],
  'series-1': ['color-paper'],
  'series-2': ['color-paper'],
  'series-3': ['color-paper'],
};

/**
 * Colours of elements that carry meaning without text: borders of controls, the focus outline,
 * icons, bars, ticks.
 */
const parts: Record<Token, Token[]> = {
  'color-control': grounds,
  'color-primary': [...grounds, 'color-track', 'color-primary-soft-2'],
  'series-1': ['color-paper', 'chart-band'],
  'series-2': ['color-paper', 'chart-band'],
  'series-3': ['color-paper', 'chart-band'],
  'color-text': ['color-paper', 'color-track'],
  'color-on-side': ['color-side'],
};

/**
 * Colours that never carry meaning alone. A text, a number or a shape beside them has the same
 * meaning.
 */
export const decoration: Record<Token, string> = {
  'color-accent': 'the sun: today’s dot, named beside it',
  'heat-3': 'how often a date was seen: the cell’s name says it, and the table',
  'color-error': 'an hour without the portal: its name and the line below say so',
  'color-info': 'the edge of a row whose first check is under way: the pill beside it says so',
  'color-warning': 'strength of a password: the word beside the bar says so',
  'color-scanned': 'the white under a code that a camera reads',
  'color-track': 'the empty part of a bar',
  'color-primary-soft-2': 'the wanted window on the date line, named below it',
  'color-divider': 'hairlines between what a heading or a gap separates already',
  'color-ring': 'a halo around the outline of focus, which has its own colour',
  'color-scrim': 'what dims a page under a dialog',
};

const pairsOf = (kind: Pair['kind'], least: Pair['least'], table: Record<Token, Token[]>): Pair[] =>
  Object.entries(table).flatMap(([ink, on]) => on.map((ground): Pair => ({ kind, ink, ground, least })));

/**
 * All pairs of colours that the product may use. The browser test of all pages
 * (e2e/support/contrast.ts) accepts no other pair.
 */
export const pairs: Pair[] = [
  ...pairsOf('text', 4.5, Object.fromEntries(inks.map((ink) => [ink, grounds]))),
  ...pairsOf('text', 4.5, own),
  ...pairsOf('part', 3, parts),
];

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the WCAG contrast ratio of two opaque colours `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

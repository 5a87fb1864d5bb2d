import type { PaletteOptions } from '@mui/material/styles';

/** A colour of the palette by its path, as `sx` names it. */
type Token = string;

/** Two colours that meet on a screen, what they are there, and the ratio that WCAG 2.2 asks for. */
export interface Pair {
  kind: 'text' | 'part';
  ink: Token;
  ground: Token;
  least: 4.5 | 3;
}

/** What text lies on everywhere: any of these takes any of `inks`. */
const grounds: Token[] = [
  'background.default',
  'background.paper',
  'background.quiet',
  'background.sunken',
  'neutral.soft',
  'primary.soft',
  'error.soft',
  'warning.soft',
  'info.soft',
  'heat.0',
];

/** What is written anywhere: any of these goes on any of `grounds`. */
const inks: Token[] = [
  'text.primary',
  'text.secondary',
  'text.tertiary',
  'text.disabled',
  'primary.ink',
  'neutral.ink',
  'error.ink',
  'warning.ink',
  'info.ink',
];

/** Text that has one ground of its own: fills, their hover, the dark panels, the heat map's levels, the chart's lines. */
const own: Record<Token, Token[]> = {
  'primary.contrastText': ['primary.main', 'primary.ink', 'primary.dark'],
  'primary.ink': ['primary.soft2'],
  'side.contrastText': ['side.main'],
  'deep.contrastText': ['deep.main'],
  'deep.ink': ['deep.main'],
  'deep.main': ['deep.contrastText', 'deep.ink'],
  'background.default': ['background.inverse'],
  'background.paper': ['error.ink'],
  'text.primary': ['heat.1', 'heat.2', 'divider'],
  'heat.on3': ['heat.3'],
  'heat.on4': ['heat.4'],
  'series.1': ['background.paper'],
  'series.2': ['background.paper'],
  'series.3': ['background.paper'],
  'secondary.contrastText': ['secondary.main'],
  'neutral.contrastText': ['neutral.main'],
  'tertiary.contrastText': ['tertiary.main'],
  'error.contrastText': ['error.main'],
  'warning.contrastText': ['warning.main'],
  'info.contrastText': ['info.main'],
  'success.contrastText': ['success.main'],
};

/** Parts that say something without words: borders of controls, the outline of focus, icons, bars, ticks. */
const parts: Record<Token, Token[]> = {
  control: grounds,
  'primary.main': [...grounds, 'background.track', 'primary.soft2'],
  'info.ink': ['info.soft2'],
  'series.1': ['background.paper', 'primary.soft'],
  'series.2': ['background.paper', 'primary.soft'],
  'series.3': ['background.paper', 'primary.soft'],
  'text.primary': ['background.paper', 'background.track'],
  'side.contrastText': ['side.main'],
};

/** Colours that carry nothing alone: a word, a number or a shape beside each of them says the same. */
export const decoration: Record<Token, string> = {
  'tertiary.main': 'the sun: today’s dot, named beside it',
  'heat.3': 'how often a date was seen: the cell’s name says it, and the table',
  'error.main': 'an hour without the portal: its name and the line below say so',
  'warning.main': 'strength of a password: the word beside the bar says so',
  'background.track': 'the empty part of a bar',
  'primary.soft2': 'the wanted window on the date line, named below it',
  'info.soft2': 'the empty part of a bar',
  divider: 'hairlines between what a heading or a gap separates already',
  ring: 'a halo around the outline of focus, which has its own colour',
  scrim: 'what dims a page under a dialog',
};

const pairsOf = (kind: Pair['kind'], least: Pair['least'], table: Record<Token, Token[]>): Pair[] =>
  Object.entries(table).flatMap(([ink, on]) => on.map((ground): Pair => ({ kind, ink, ground, least })));

/** Every pair of colours the product may use; the browser's walk over all pages (e2e/support/contrast.ts) knows no other. */
export const pairs: Pair[] = [
  ...pairsOf('text', 4.5, Object.fromEntries(inks.map((ink) => [ink, grounds]))),
  ...pairsOf('text', 4.5, own),
  ...pairsOf('part', 3, parts),
];

/** The value a token has in a scheme, as it is written there. */
export function colourOf(palette: PaletteOptions, token: Token): string {
  const value = token.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], palette);
  if (typeof value !== 'string') throw new Error(`${token} is no colour of the palette`);
  return value;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG's ratio of two opaque colours `#rrggbb`, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

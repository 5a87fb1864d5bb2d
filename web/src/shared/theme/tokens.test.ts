import { expect, it } from 'vitest';
import { darkPalette, lightPalette, type Palette } from './palette.ts';
import { tokensOf } from './tokens.ts';

/** Token of each colour in the palette. */
const roles: Record<keyof Palette, string> = {
  ground: 'color-bg',
  paper: 'color-paper',
  text: 'color-text',
  quiet: 'color-text-2',
  faintText: 'color-text-3',
  line: 'color-divider',
  main: 'color-primary',
  on: 'color-on-primary',
  soft: 'color-primary-soft-2',
  faint: 'heat-0',
};

it.each([
  ['light', lightPalette],
  ['dark', darkPalette],
] as const)('the palette of documents without tokens has the same colours, %s', (scheme, palette) => {
  const tokens = tokensOf(scheme);
  expect(palette).toEqual(Object.fromEntries(Object.entries(roles).map(([role, token]) => [role, tokens[token]])));
});

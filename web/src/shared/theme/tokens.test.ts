import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { darkPalette, lightPalette } from '../legacy/theme/palette.ts';

const css = readFileSync(resolve(import.meta.dirname, 'tokens.css'), 'utf8');

/** The custom properties of the first block after `selector`. */
function properties(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(selector), css.indexOf('}', css.indexOf(selector)));
  return Object.fromEntries([...block.matchAll(/(--[\w-]+): ([^;]+);/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

/** Each token beside the place in MUI's palette that says the same for the pages not yet converted. */
const pairs: Record<string, string> = {
  bg: 'background.default',
  sunken: 'background.sunken',
  track: 'background.track',
  paper: 'background.paper',
  'paper-2': 'background.quiet',
  divider: 'divider',
  control: 'control',
  scrim: 'scrim',
  ring: 'ring',
  text: 'text.primary',
  'text-2': 'text.secondary',
  'text-3': 'text.tertiary',
  primary: 'primary.main',
  'primary-light': 'primary.light',
  'primary-ink': 'primary.ink',
  'on-primary': 'primary.contrastText',
  'primary-soft': 'primary.soft',
  'primary-soft-2': 'primary.soft2',
  side: 'side.main',
  'on-side': 'side.contrastText',
  deep: 'deep.main',
  'on-deep': 'deep.contrastText',
  'on-deep-2': 'deep.ink',
  accent: 'tertiary.main',
  'accent-soft': 'tertiary.soft',
  'accent-ink': 'tertiary.ink',
  ...Object.fromEntries(
    ['error', 'warning', 'info', 'neutral'].flatMap((tone) => [
      [tone, `${tone}.main`],
      [`${tone}-soft`, `${tone}.soft`],
      [`${tone}-ink`, `${tone}.ink`],
    ]),
  ),
};

const at = (palette: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], palette);
const plain = (colour: unknown) =>
  String(colour)
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/([(,])0\./g, '$1.');

describe.each([
  ['light', ':root {', lightPalette],
  ['dark', '[data-theme="dark"]', darkPalette],
])('the tokens of the %s scheme', (_, selector, palette) => {
  const own = { ...properties(':root {'), ...properties(selector) };
  it.each(Object.entries(pairs))('--color-%s is %s', (token, path) => {
    expect(plain(own[`--color-${token}`])).toBe(plain(at(palette, path)));
  });
  it('has the heat map and the series of charts', () => {
    for (const level of ['0', '1', '2', '3', '4'])
      expect(plain(own[`--heat-${level}`])).toBe(plain(at(palette, `heat.${level}`)));
    for (const line of ['1', '2', '3']) expect(plain(own[`--series-${line}`])).toBe(plain(at(palette, `series.${line}`)));
    expect([own['--heat-on-3'], own['--heat-on-4']].map(plain)).toEqual(
      [at(palette, 'heat.on3'), at(palette, 'heat.on4')].map(plain),
    );
  });
});

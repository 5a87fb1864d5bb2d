import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrast, decoration, type Pair, pairs } from './contrast.ts';
import { tokensOf } from './tokens.ts';

/** Returns whether a token is a colour. */
const isColour = (name: string) => /^(?:color|heat|series)-/.test(name);

const schemes = { light: tokensOf('light'), dark: tokensOf('dark') };

/** Computes the contrast ratio of a pair in one scheme. */
function ratio({ ink, ground }: Pair, scheme: keyof typeof schemes): number {
  const colour = (name: string) => {
    const value = schemes[scheme][name];
    if (value === undefined) throw new Error(`${name} is no token`);
    return value;
  };
  return contrast(colour(ink), colour(ground));
}

describe('contrast', () => {
  it('computes the ratios of black, white and the lightest grey that passes', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(contrast('#123456', '#123456')).toBe(1);
  });
  it('suffices for every pair of tokens in both schemes', () => {
    const faint = pairs
      .filter(({ ink, ground }) => ink !== ground)
      .map((pair) => ({ ...pair, light: ratio(pair, 'light'), dark: ratio(pair, 'dark') }))
      .filter(({ light, dark, least }) => Math.min(light, dark) < least);
    expect(faint.map(({ ink, ground, light, dark }) => `${ink} on ${ground}: ${light}, ${dark}`)).toEqual([]);
  });
  it('is checked for every colour that the styles use', () => {
    const asked = new Set([...pairs.flatMap(({ ink, ground }) => [ink, ground]), ...Object.keys(decoration)]);
    const sheets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:css|tsx)$/.test(name));
    const code = sheets.filter((name) => !name.endsWith('tokens.css')).map((name) => readFileSync(join('src', name), 'utf8'));
    const used = new Set([...code.join('\n').matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name ?? ''));
    const unasked = Object.keys(tokensOf('light')).filter((name) => isColour(name) && used.has(name) && !asked.has(name));
    expect(unasked).toEqual([]);
  });
});

describe('the tokens of the specification', () => {
  const tokens = tokensOf('light');
  // spec: 2.14.01, 2.14.02, 2.14.03, 2.14.04, 2.14.05
  it('have the teal with its light and dark, the orange, the warm ground and the near-black', () => {
    const named = ['primary', 'primary-light', 'primary-ink', 'accent', 'bg', 'paper', 'divider', 'text', 'text-2'];
    expect(named.map((name) => tokens[`color-${name}`])).toEqual([
      '#017c6e',
      '#009e8c',
      '#016459',
      '#ff9800',
      '#f4f1ec',
      '#ffffff',
      '#e7e3dc',
      '#111827',
      '#4b5563',
    ]);
    expect(['error', 'warning', 'info', 'neutral'].map((name) => tokens[`color-${name}`])).toEqual([
      '#ef4444',
      '#f59e0b',
      '#0ea5e9',
      '#6b7280',
    ]);
  });
  // spec: 2.14.07, 2.14.08, 2.14.09
  it('round fields by 12, cards by 16, buttons by 24', () => {
    expect([tokens['r-md'], tokens['r-lg'], tokens['r-xl']]).toEqual(['12px', '16px', '24px']);
  });
  // spec: 2.14.06
  it('set Inter before the system fonts, for Chinese without the punctuation that Inter draws too narrow', () => {
    const css = readFileSync('src/shared/theme/fonts.css', 'utf8');
    const [latin = '', chinese = ''] = css.split('@font-face').slice(1);
    expect(latin).toContain('"Inter Variable"');
    expect(latin).toContain('U+2000-206F');
    expect(chinese).toContain('"Inter Variable ZH"');
    expect(chinese).not.toContain('U+2000-206F');
    const stacks = [...css.matchAll(/--font:\s*([^;]+);/g)].map(([, stack = '']) => stack.replaceAll(/\s+/g, ' ').trim());
    expect(stacks).toHaveLength(2);
    expect(stacks[0]).toMatch(/^"Inter Variable ZH", -apple-system, "PingFang SC".*"Microsoft YaHei".*sans-serif$/);
    expect(stacks[1]).toMatch(/^"Inter Variable", -apple-system.*"Segoe UI".*sans-serif$/);
    // Both style sheets may be in one document, in any order.
    expect(css).not.toContain('@layer');
    expect(readFileSync('src/shared/theme/systemFonts.css', 'utf8')).toMatch(
      /\*\/\n@layer tokens \{[^}]*--font:[^}]*\}[^}]*--font:[^}]*\}\n\}\n$/,
    );
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTheme } from '@mui/material/styles';
import { describe, expect, it } from 'vitest';
import { colourOf, contrast, decoration, pairs } from './contrast.ts';
import { contrastTable, measured } from './contrastTable.ts';
import { darkPalette, lightPalette } from './palette.ts';
import { theme } from './theme.ts';

const { palette } = theme.colorSchemes.light ?? theme;

/** What an override of a component comes to, in the light scheme. */
function rooted(name: 'MuiButton' | 'MuiCard' | 'MuiPaper', slot = 'root'): Record<string, unknown> {
  const style = (theme.components?.[name]?.styleOverrides as Record<string, unknown> | undefined)?.[slot];
  return (typeof style === 'function' ? style({ theme, ownerState: {} }) : style) as Record<string, unknown>;
}

describe('the theme of the specification', () => {
  it('has the teal, its light and its dark', () => {
    expect(palette.primary).toMatchObject({ main: '#017c6e', light: '#009E8C', dark: '#016459' });
  });
  it('has the grey and the orange', () => {
    expect(palette.secondary.main).toBe('#6B7280');
    expect(palette.tertiary.main.toLowerCase()).toBe('#ff9800');
  });
  it('has the warm ground, white paper and the divider', () => {
    expect([palette.background.default, palette.background.paper, palette.divider]).toEqual(['#F4F1EC', '#FFFFFF', '#E7E3DC']);
  });
  it('writes in the near-black, and in a grey that is dark enough to read', () => {
    expect(palette.text.primary).toBe('#111827');
    expect(palette.text.secondary).toBe('#4B5563');
    expect(contrast('#6B7280', palette.background.default)).toBeLessThan(4.5);
    expect(contrast(palette.text.secondary, palette.background.default)).toBeGreaterThan(4.5);
  });
  it('has the red, the amber and the blue, and says success in teal', () => {
    expect([palette.error.main, palette.warning.main, palette.info.main]).toEqual(['#EF4444', '#F59E0B', '#0EA5E9']);
    expect(palette.success.main).toBe(palette.primary.main);
  });
  it('sets Inter with the systems’ own fonts behind it, for Chinese without the punctuation Inter draws too narrow', () => {
    expect(theme.typography.fontFamily).toBe('var(--font)');
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
  });
  it('leaves buttons in the case they are written in, semibold', () => {
    expect(theme.typography.button).toMatchObject({ textTransform: 'none', fontWeight: 600 });
    expect(theme.typography.overline.textTransform).toBe('none');
  });
  it('rounds by 12, cards and paper by 16, buttons by 24', () => {
    expect(theme.shape.borderRadius).toBe(12);
    expect(rooted('MuiCard').borderRadius).toBe(16);
    expect(rooted('MuiPaper', 'rounded').borderRadius).toBe(16);
    expect(rooted('MuiButton').borderRadius).toBe(24);
  });
  it('holds pages in the large container and counts space by 8', () => {
    expect(theme.components?.MuiContainer?.defaultProps?.maxWidth).toBe('lg');
    expect(createTheme().breakpoints.values.lg).toBe(theme.breakpoints.values.lg);
    expect(theme.spacing(1)).toContain('8px');
  });
});

describe('contrast', () => {
  it('knows the ratios of black, white and the grey that just passes', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(contrast('#123456', '#123456')).toBe(1);
  });
  it('of every pair of the theme is enough in both schemes', () => {
    const faint = measured.filter(({ light, dark, least }) => Math.min(light, dark) < least);
    expect(faint.map(({ ink, ground, light, dark }) => `${ink} on ${ground}: ${light}, ${dark}`)).toEqual([]);
  });
  it('is written down as it is (docs/contrast.md, by node scripts/contrast.mjs)', () => {
    expect(readFileSync('../docs/contrast.md', 'utf8')).toBe(contrastTable());
  });
  it('is asked of every colour that the code uses', () => {
    const asked = new Set([...pairs.flatMap(({ ink, ground }) => [ink, ground]), ...Object.keys(decoration)]);
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !/\.test\.|^theme\/(palette|contrast)|schema\.ts$/.test(name),
    );
    const code = files.map((name) => readFileSync(join('src', name), 'utf8')).join('\n');
    const unasked = tokensOf(lightPalette).filter((token) => !asked.has(token) && isUsed(token, code));
    expect(unasked).toEqual([]);
  });
  it('has the same colours to ask of in both schemes', () => {
    const missing = (from: object, other: typeof lightPalette) =>
      tokensOf(from).filter((token) => {
        try {
          return !colourOf(other, token);
        } catch {
          return true;
        }
      });
    expect([missing(darkPalette, lightPalette), missing(lightPalette, darkPalette)]).toEqual([[], []]);
  });
});

/** The paths of all colours of a palette. */
function tokensOf(palette: object, under = ''): string[] {
  return Object.entries(palette).flatMap(([key, value]) =>
    typeof value === 'string' ? (key === 'mode' ? [] : [`${under}${key}`]) : tokensOf(value, `${under}${key}.`),
  );
}

/** Whether a colour is named: as `sx` does, from a theme at hand, or as a CSS variable. */
function isUsed(token: string, code: string): boolean {
  const path = token.replace(/\.(\d)$/, '(?:\\.|\\[)$1').replaceAll(/\.(?=[a-z])/gi, '\\??\\.');
  const forms = [
    `['"\`]${path}['"\`]`,
    `palette\\??\\.${path}(?![\\w])`,
    `--mui-palette-${token.replaceAll('.', '-')}(?![\\w-])`,
  ];
  return new RegExp(forms.join('|')).test(code);
}

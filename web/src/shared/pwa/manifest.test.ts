import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import en from '../i18n/en.json';
import zh from '../i18n/zh.json';
import { darkPalette, lightPalette } from '../legacy/theme/palette.ts';
import { paths } from '../routing/paths.ts';

interface Picture {
  src: string;
  sizes: string;
  purpose?: string;
  form_factor?: string;
  label?: string;
}
interface Manifest {
  [member: string]: unknown;
  name: string;
  short_name: string;
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { name: string; short_name: string; url: string; icons: Picture[] }[];
}

const read = (name: string) => JSON.parse(readFileSync(`public/${name}`, 'utf8')) as Manifest;
const manifests = { zh: read('site.webmanifest'), en: read('site.en.webmanifest') };

/** Everything but the words. */
function bare({ name, short_name, description, lang, screenshots, shortcuts, ...rest }: Manifest) {
  return {
    ...rest,
    shortcuts: shortcuts.map(({ url, icons }) => ({ url, icons })),
    screenshots: screenshots.map(({ src, sizes, form_factor }) => [src.replace(/-(?:zh|en)\./, '.'), sizes, form_factor]),
  };
}

it('is one app in two languages', () => {
  expect(bare(manifests.en)).toEqual(bare(manifests.zh));
  expect(manifests.zh.short_name).toBe(zh.brand.name);
  expect(manifests.en.short_name).toBe(en.brand.name);
});

it('begins where the user is at home, in the colours of the theme', () => {
  const { id, start_url, scope, display, background_color, theme_color, shortcuts } = manifests.zh;
  expect({ id, start_url, scope, display }).toEqual({ id: '/', start_url: paths.dashboard, scope: '/', display: 'standalone' });
  expect(background_color).toBe(lightPalette.background?.default);
  expect(theme_color).toBe(lightPalette.background?.paper);
  expect(shortcuts.map((one) => one.url)).toEqual([paths.wizard(), paths.balance]);
  for (const document of ['index.html']) {
    const text = readFileSync(document, 'utf8');
    expect(text).toContain(`content="${lightPalette.background?.paper}" media="(prefers-color-scheme: light)"`);
    expect(text).toContain(`content="${darkPalette.background?.paper}" media="(prefers-color-scheme: dark)"`);
  }
});

it('has icons for every home screen, and pictures for both shapes of screen', () => {
  const { icons, screenshots, shortcuts } = manifests.zh;
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', 'any'],
    ['512x512', 'any'],
    ['512x512', 'maskable'],
    ['any', 'any'],
  ]);
  expect(new Set(screenshots.map((one) => one.form_factor))).toEqual(new Set(['narrow', 'wide']));
  const all = Object.values(manifests).flatMap((one) => [...one.icons, ...one.screenshots]);
  for (const { src } of [...all, ...shortcuts.flatMap((one) => one.icons)]) expect(existsSync(`public${src}`), src).toBe(true);
});

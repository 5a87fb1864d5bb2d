import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allTexts } from '../../../scripts/textFiles.ts';
import { paths } from '../routing/paths.ts';
import { darkPalette, lightPalette } from '../theme/palette.ts';

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

/** Returns a manifest without its language-dependent fields. */
function bare({ name, short_name, description, lang, screenshots, shortcuts, ...rest }: Manifest) {
  return {
    ...rest,
    shortcuts: shortcuts.map(({ url, icons }) => ({ url, icons })),
    screenshots: screenshots.map(({ src, sizes, form_factor }) => [src.replace(/-(?:zh|en)\./, '.'), sizes, form_factor]),
  };
}

// spec: 10.14.01
it('is one app in two languages', () => {
  expect(bare(manifests.en)).toEqual(bare(manifests.zh));
  expect(manifests.zh.short_name).toBe(allTexts('zh')['brand.name']);
  expect(manifests.en.short_name).toBe(allTexts('en')['brand.name']);
});

// spec: 10.14.01
it('starts at the dashboard, in the colours of the theme', () => {
  const { id, start_url, scope, display, background_color, theme_color, shortcuts } = manifests.zh;
  expect({ id, start_url, scope, display }).toEqual({ id: '/', start_url: paths.dashboard, scope: '/', display: 'standalone' });
  expect(String(background_color).toLowerCase()).toBe(lightPalette.ground);
  expect(String(theme_color).toLowerCase()).toBe(lightPalette.paper);
  expect(shortcuts.map((one) => one.url)).toEqual([paths.wizard(), paths.balance]);
  const head = readFileSync('src/app/documents/Head.astro', 'utf8').toLowerCase();
  expect(head).toContain(`content="${lightPalette.paper}" media="(prefers-color-scheme: light)"`);
  expect(head).toContain(`content="${darkPalette.paper}" media="(prefers-color-scheme: dark)"`);
});

// spec: 10.14.01
it('has icons for every home screen, and screenshots for both screen formats', () => {
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

// Writes dist/open/{page}.{language}.html: the open pages as documents that need no script to be read, with marked places for
// what the server knows (src/shared/api/facts.tsx, crates/server/src/open_pages/template.rs). Run after both builds
// (client, and `--ssr src/app/open/server.tsx --outDir dist-ssr`); the server picks the language.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { areas } from '../src/shared/i18n/areas.ts';
import { darkPalette, lightPalette } from '../src/shared/legacy/theme/palette.ts';
import { diet } from './diet.mjs';
import { livingClasses, shortenKept } from './kept.mjs';
import { chunkOf } from './manifest.mjs';

// The same classes as in the browser: packages say more of themselves while one develops.
process.env.NODE_ENV = 'production';
// Other folders than the build's own may be named: `node scripts/prerender.mjs DIST SSR`.
const folder = (index, usual) => pathToFileURL(`${process.argv[index] ?? new URL(usual, import.meta.url).pathname}/`);
const dist = folder(2, '../dist');
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const { render } = await import(new URL('server.js', folder(3, '../dist-ssr')).href);

/** What comes alive on an open page (src/app/open/liveParts.tsx). */
const islands = ['signUp', 'showcase', 'gallery', 'contact', 'faq'];
const client = manifest['src/app/open/client.tsx'];
/** What the page's code begins with, beside itself: the names of files in assets/. */
function beginnings(language) {
  const files = new Set();
  const add = (part) => {
    if (!part || files.has(part.file)) return;
    files.add(part.file);
    for (const next of part.imports ?? []) add(manifest[next]);
  };
  add(client);
  add(manifest[`words:${language}/open`]);
  files.delete(client.file);
  return [...files].map((file) => file.replace(/^assets\/(.*)\.js$/, '$1')).join(' ');
}
/** The style sheets of what a page can show, in the order of the build. */
function sheets() {
  const seen = new Set();
  const files = new Set();
  const add = (key) => {
    if (seen.has(key) || !manifest[key]) return;
    seen.add(key);
    for (const next of manifest[key].imports ?? []) add(next);
    for (const file of manifest[key].css ?? []) files.add(file);
  };
  for (const key of ['src/app/open/client.tsx', ...islands.map((area) => chunkOf(manifest, areas[area]))]) {
    if (!manifest[key]) throw new Error(`the build has no ${key}`);
    add(key);
  }
  // What stays still on a page may be a component that only the app's code loads: the diet leaves what no document uses.
  for (const { css } of Object.values(manifest)) for (const file of css ?? []) files.add(file);
  return [...files].map((file) => readFileSync(new URL(file, dist), 'utf8').replace(/@font-face\s*\{[^}]*\}/g, '')).join('');
}
// In the document as well: the server allows exactly this script by its hash.
const loader = readFileSync(new URL(manifest['src/app/open/loader.ts'].file, dist), 'utf8').trim();
// The stacks of fonts, and no file of one: the first view of a stranger on a slow phone is written in the phone's own letters.
const fonts = readFileSync(new URL('../src/shared/theme/fonts.css', import.meta.url), 'utf8')
  .replace(/@font-face\s*\{[^}]*\}/g, '')
  .replace(/"Inter Variable[^"]*",\s*/g, '');
/** Of the stacks for other languages than the document's none is needed. */
const fontsOf = (language) =>
  language === 'en' ? fonts.replace(/:root\s*\{\s*--font:[^;]*;/, ':root{') : fonts.replace(/:root:lang\(en\)\s*\{[^}]*\}/, '');
// The server puts its own address here (crates/server/src/open_pages/documents.rs).
const ORIGIN = 'https://public-url.invalid';
const quoted = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

// For search engines; a block of data, which no policy of scripts concerns.
const structured = (data) =>
  data ? `\n<script type="application/ld+json">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>` : '';

function documentOf(language, { html: rendered, css: written, lang, title, description, path, data }) {
  const living = livingClasses(rendered);
  const { html, css } = shortenKept(rendered, diet(fontsOf(language) + sheets() + written, rendered, living), living);
  const alternates = ['zh', 'en'].map(
    (one) => `<link rel="alternate" hreflang="${one === 'zh' ? 'zh-CN' : 'en'}" href="${ORIGIN}${path}?lang=${one}">`,
  );
  return `<!doctype html>
<html lang="${lang}" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="${lightPalette.background.paper}" media="(prefers-color-scheme: light)" data-scheme="light">
<meta name="theme-color" content="${darkPalette.background.paper}" media="(prefers-color-scheme: dark)" data-scheme="dark">
<title>${quoted(title)}</title>
<meta name="description" content="${quoted(description)}">
<link rel="canonical" href="${ORIGIN}${path}?lang=${language}">
${alternates.join('\n')}
<link rel="alternate" hreflang="x-default" href="${ORIGIN}${path}">
<meta property="og:type" content="website">
<meta property="og:title" content="${quoted(title)}">
<meta property="og:description" content="${quoted(description)}">
<meta property="og:image" content="${ORIGIN}/og-${language}.png">
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.${language === 'en' ? 'en.' : ''}webmanifest">
<script data-client="/${client.file}" data-more="${beginnings(language)}" data-lang="${language}">${loader}</script>
<style>${css}</style>${structured(data)}
</head>
<body>
<div id="root" data-lang="${language}">${html}</div>
<script type="application/json" id="facts">⟦#facts⟧</script>
</body>
</html>
`;
}

rmSync(new URL('open/', dist), { recursive: true, force: true });
mkdirSync(new URL('open/', dist), { recursive: true });
for (const page of ['home', 'faq', 'privacy']) {
  for (const language of ['zh', 'en']) {
    const text = documentOf(language, await render(page, language));
    writeFileSync(new URL(`open/${page}.${language}.html`, dist), text);
  }
}
// What the pages import keeps channels and timers open: nothing is left to do.
process.exit(0);

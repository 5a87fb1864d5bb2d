// What each page loads: its entry, its own chunk, the words of both, and all they import at once, in brotli bytes and in files. Reads
// the manifest of `vite build`. With --check it fails where a page is over its budget (make test); budgets only go down.
// What a browser really loads is `scripts/e2e.sh --tool weight`.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { areas } from '../src/shared/i18n/areas.ts';
import { chunkOf } from './manifest.mjs';

const dist = new URL(process.env.SOONER_DIST ? `file://${process.env.SOONER_DIST}/` : '../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const budgets = JSON.parse(readFileSync(new URL('./bundle-budgets.json', import.meta.url), 'utf8'));

const sizes = new Map();
function size(file) {
  if (!sizes.has(file)) {
    const bytes = readFileSync(new URL(file, dist));
    sizes.set(file, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length);
  }
  return sizes.get(file);
}

function withImports(module, seen = new Set()) {
  const key = chunkOf(manifest, module);
  if (!key) throw new Error(`the build has no ${module}`);
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) withImports(next, seen);
  return seen;
}

const CLIENT = 'src/app/open/client.tsx';
const home = ['SignUpCard', 'Showcase', 'Gallery', 'ContactCards'].map((name) => `src/features/site/landing/${name}.tsx`);
// One language's words come with every page; the other's do not. The larger of the two counts.
const wordsOf = (language, key) => {
  const area = Object.keys(areas).find((name) => areas[name] === key);
  return area ? [`words:${language}/${area}`] : [];
};
const own = {
  // A visitor's page after the first touch; with the form; with all that can be alive on it.
  home: [CLIENT],
  'home, form touched': [CLIENT, home[0]],
  'home, everything': [CLIENT, ...home],
  faq: [CLIENT, areas.faq],
  privacy: [CLIENT],
  pay: ['pay.html'],
};
const pages = Object.keys(manifest).filter((key) => /^src\/(app|features)\/.*Page\.tsx$/.test(key) && key !== areas.landing);
const named = pages.map((page) => [page.replace(/^.*\//, '').replace('.tsx', ''), ['index.html', areas.app, page]]);

function measure(roots, language) {
  const keys = roots.flatMap((root) => [...(root === areas.app ? [] : withImports(root)), ...wordsOf(language, root)]);
  const files = [...new Set(keys.map((key) => manifest[key]?.file).filter((file) => file?.endsWith('.js')))];
  const css = [...new Set(keys.flatMap((key) => manifest[key]?.css ?? []))];
  const kilobytes = (list) => list.reduce((sum, file) => sum + size(file), 0) / 1_000;
  return { js: kilobytes(files), css: kilobytes(css), files: files.length };
}

/** Of a document that was made ahead: what it asks for at once, in the larger of its languages. */
function documents() {
  const folder = new URL('documents/', dist);
  return readdirSync(new URL('en/', folder), { recursive: true })
    .filter((name) => name.endsWith('.html'))
    .map((name) => {
      const files = ['zh', 'en'].map((language) => [
        ...new Set(
          [...readFileSync(new URL(`${language}/${name}`, folder), 'utf8').matchAll(/rel="modulepreload" href="\/([^"]+)"/g)].map(
            ([, file]) => file,
          ),
        ),
      ]);
      const [largest] = files.sort((a, b) => b.length - a.length);
      const js = largest.reduce((sum, file) => sum + size(file), 0) / 1_000;
      const page = name.replace('.html', '');
      return { name: page, js, css: 0, files: largest.length, budget: budgets[page] ?? budgets.document };
    });
}

let over = false;
const rows = documents().concat(
  [...named, ...Object.entries(own)].map(([name, roots]) => {
    const [zh, en] = ['zh', 'en'].map((language) => measure(roots, language));
    return { name, ...(zh.js > en.js ? zh : en), budget: budgets[name] ?? budgets.default };
  }),
);
for (const { name, js, css, files, budget } of rows.sort((a, b) => b.js - a.js)) {
  const tooMuch = js > budget;
  over ||= tooMuch;
  console.log(
    `${name.padEnd(24)} ${js.toFixed(1).padStart(7)} kB js in ${String(files).padStart(2)} files ${css.toFixed(1).padStart(6)} kB css   budget ${budget}${tooMuch ? '  OVER' : ''}`,
  );
}
if (process.argv.includes('--check') && over) process.exit(1);

// What each route loads: the entry, its page's chunk and all they import at once, in brotli bytes. Reads the manifest of
// `vite build`. With --check it fails where a route is over its budget (make test); budgets only go down.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
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

function withImports(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) withImports(next, seen);
  return seen;
}

const entry = Object.keys(manifest).find((key) => key === 'index.html');
// One language's words come with every page; the other's do not.
const words = Object.keys(manifest).find((key) => manifest[key].name === 'zh');
const pages = Object.keys(manifest).filter((key) => /^src\/pages\/.*Page\.tsx$/.test(key));
let over = false;
const own = ['src/open/client.tsx', 'pay.html'];
const rows = [...pages, ...own].map((page) => {
  const parts = (own.includes(page) ? [words, page] : [entry, words, page]).flatMap((key) => [...withImports(key)]);
  const files = [...new Set(parts.map((key) => manifest[key]?.file).filter((file) => file?.endsWith('.js')))];
  const css = [...new Set(parts.flatMap((key) => manifest[key]?.css ?? []))];
  const name = page.replace(/^.*\//, '').replace('.tsx', '');
  const kilobytes = (list) => list.reduce((sum, file) => sum + size(file), 0) / 1_000;
  return { name, js: kilobytes(files), css: kilobytes(css), budget: budgets[name] ?? budgets.default };
});
for (const { name, js, css, budget } of rows.sort((a, b) => b.js - a.js)) {
  const tooMuch = js > budget;
  over ||= tooMuch;
  console.log(
    `${name.padEnd(28)} ${js.toFixed(1).padStart(7)} kB js ${css.toFixed(1).padStart(6)} kB css   budget ${budget}${tooMuch ? '  OVER' : ''}`,
  );
}
if (process.argv.includes('--check') && over) process.exit(1);

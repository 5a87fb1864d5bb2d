// Reports what each page loads, in brotli bytes and number of files: the scripts and style sheets
// of its document, and for public pages those after the first touch. With --check it fails if a
// page exceeds its budget (make test). Budgets may only decrease. `scripts/e2e.sh --tool weight`
// measures a real browser.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = new URL(process.env.SOONER_DIST ? `file://${process.env.SOONER_DIST}/` : '../dist/', import.meta.url);
const budgets = JSON.parse(readFileSync(new URL('./bundle-budgets.json', import.meta.url), 'utf8'));

const sizes = new Map();
function size(file) {
  if (!sizes.has(file)) {
    const bytes = readFileSync(new URL(file, dist));
    sizes.set(file, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length);
  }
  return sizes.get(file);
}

const kilobytes = (files) => files.reduce((sum, file) => sum + size(file), 0) / 1_000;

/**
 * Returns the sizes of the prerendered documents' files: those that load at once, and those after
 * the first touch. The larger language counts.
 */
function documents() {
  const folder = new URL('documents/', dist);
  const largest = (name, filesIn) => {
    const files = ['zh', 'en'].map((language) => [
      ...new Set(filesIn(readFileSync(new URL(`${language}/${name}.html`, folder), 'utf8'))),
    ]);
    return files.sort((a, b) => b.length - a.length)[0];
  };
  const SCRIPT = /<(?:link rel="modulepreload"|script type="module")[^>]* (?:href|src)="\/([^"]+)"/g;
  const atOnce = (html) => [...html.matchAll(SCRIPT)].map(([, file]) => file);
  const sheets = (html) => [...html.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"/g)].map(([, file]) => file);
  const islands = (html) => [...html.matchAll(/<astro-island[^>]* opts="([^"]*)"[^>]* data-files="([^"]*)"/g)];
  const named = (found) => found.flatMap(([, , files]) => files.split(' ').map((file) => `assets/${file}`));
  const touched = (html) => named(islands(html).filter(([, opts]) => !/(near|here)&quot;/.test(opts)));
  const withForm = (html) => [...touched(html), ...named(islands(html).filter(([island]) => island.includes('SignUp')))];
  const everything = (html) => named(islands(html));
  const row = (name, files, budget, sheets = []) => ({
    name,
    js: kilobytes(files),
    css: kilobytes(sheets),
    files: files.length,
    budget,
  });
  return readdirSync(new URL('en/', folder), { recursive: true })
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.replace('.html', ''))
    .flatMap((page) => {
      if (page.startsWith('app/')) return [row(page, largest(page, atOnce), budgets[page] ?? budgets.app, largest(page, sheets))];
      if (page.startsWith('auth/')) return [row(page, largest(page, atOnce), budgets.document)];
      return [
        row(`${page}, untouched`, largest(page, atOnce), 0),
        row(`${page}, touched`, largest(page, touched), budgets[`${page}, touched`] ?? budgets.touched),
        row(`${page}, form touched`, largest(page, withForm), budgets['form touched']),
        row(`${page}, everything`, largest(page, everything), budgets.everything),
      ];
    });
}

/** Returns the size of the card page, which has its own build with one script. */
function cardPage() {
  const { file, css = [] } = JSON.parse(readFileSync(new URL('.vite/card.json', dist), 'utf8'))['pay.html'];
  return { name: 'pay', js: kilobytes([file]), css: kilobytes(css), files: 1, budget: budgets.pay };
}

let over = false;
const rows = [...documents(), cardPage()];
for (const { name, js, css, files, budget } of rows.sort((a, b) => b.js - a.js)) {
  const tooMuch = js > budget;
  over ||= tooMuch;
  console.log(
    `${name.padEnd(24)} ${js.toFixed(1).padStart(7)} kB js in ${String(files).padStart(2)} files ${css.toFixed(1).padStart(6)} kB css   budget ${budget}${tooMuch ? '  OVER' : ''}`,
  );
}
if (process.argv.includes('--check') && over) process.exit(1);

// Measures the size of each public page for a new visitor, compressed with gzip (plain HTTP
// supports nothing better) and brotli. With --check it fails if a page exceeds its budget (make
// test). Budgets may only decrease.
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
// Budgets in bytes. A document contains the texts of its islands and Astro's code for them (4 kB),
// which saves 50 kB after a touch. The landing page also contains the texts of its form (3 kB).
const budgets = { home: 31_000, faq: 15_100, privacy: 15_400, pricing: 13_600, refunds: 12_900, terms: 13_800, status: 19_000 };
let over = false;
for (const page of Object.keys(budgets)) {
  for (const language of ['zh', 'en']) {
    const [made] = [`documents/${language}/${page}.html`, `open/${page}.${language}.html`]
      .map((name) => new URL(name, dist))
      .filter(existsSync);
    const bytes = readFileSync(made);
    const gzip = gzipSync(bytes, { level: 9 }).length;
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }).length;
    const tooMuch = gzip > budgets[page];
    over ||= tooMuch;
    console.log(
      `${page.padEnd(8)} ${language} ${String(bytes.length).padStart(7)} bytes ${String(gzip).padStart(6)} gzip ${String(brotli).padStart(6)} br   budget ${budgets[page]}${tooMuch ? '  OVER' : ''}`,
    );
  }
}
if (process.argv.includes('--check') && over) process.exit(1);

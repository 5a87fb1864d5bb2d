// What a stranger waits for: each page for everybody in bytes, packed with gzip (plain http knows nothing better) and brotli.
// With --check it fails where one is over its budget (make test); budgets only go down.
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
// The documents by Astro have their islands' words and code within (4 kB), for which they load 50 kB less once they are touched;
// the landing also has the words of its form (3 kB).
const budgets = { home: 30_700, faq: 15_100, privacy: 15_400, pricing: 13_600, refunds: 12_900, terms: 13_800, status: 19_000 };
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

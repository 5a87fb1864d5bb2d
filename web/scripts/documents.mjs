// What a stranger waits for: each open page's document in bytes, packed with gzip (plain http knows nothing better) and brotli.
// With --check it fails where one is over its budget (make test); budgets only go down.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const open = new URL('../dist/open/', import.meta.url);
const budgets = { home: 22_100, faq: 11_000, privacy: 10_600 };
let over = false;
for (const name of readdirSync(open).sort()) {
  const [page, language] = name.split('.');
  // Neither what compress.mjs made of them nor the page for those without a network.
  if (!name.endsWith('.html') || !(page in budgets)) continue;
  const bytes = readFileSync(new URL(name, open));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }).length;
  const tooMuch = gzip > budgets[page];
  over ||= tooMuch;
  console.log(
    `${page.padEnd(8)} ${language} ${String(bytes.length).padStart(7)} bytes ${String(gzip).padStart(6)} gzip ${String(brotli).padStart(6)} br   budget ${budgets[page]}${tooMuch ? '  OVER' : ''}`,
  );
}
if (process.argv.includes('--check') && over) process.exit(1);

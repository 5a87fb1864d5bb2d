// After `astro build`: puts the documents' files beside the app's (dist/assets), and names in each document the code it begins with.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const documents = new URL('documents/', dist);
const assets = new URL('assets/', dist);

function moveFiles() {
  const from = new URL('assets/', documents);
  mkdirSync(assets, { recursive: true });
  for (const name of readdirSync(from)) renameSync(new URL(name, from), new URL(name, assets));
  rmSync(from, { recursive: true });
}

/** The files that a script imports at once, itself first. */
function closure(name, seen = new Set()) {
  if (seen.has(name) || !existsSync(new URL(name, assets))) return seen;
  seen.add(name);
  const code = readFileSync(new URL(name, assets), 'utf8');
  for (const [, next] of code.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) closure(next, seen);
  return seen;
}

/** The files of an island: its own, what draws it, and all that these import at once. */
const filesOf = (island) => [
  ...new Set([...island.matchAll(/(?:component|renderer)-url="\/assets\/([^"]+)"/g)].flatMap(([, name]) => [...closure(name)])),
];

/**
 * Names what each island is made of, so that it is asked for at once and not when the island's code has named it: with the document,
 * or, where the island waits for a touch (src/app/documents/touch.ts), with the touch.
 */
function withFiles(html) {
  const now = new Set();
  const named = html.replace(/<astro-island\b[^>]*/g, (island) => {
    if (island.includes('client="touch"')) return `${island} data-files="${filesOf(island).join(' ')}"`;
    for (const file of filesOf(island)) now.add(file);
    return island;
  });
  const links = [...now].map((name) => `<link rel="modulepreload" href="/assets/${name}">`);
  return named.replace('</head>', `${links.join('')}</head>`);
}

moveFiles();
for (const name of readdirSync(documents, { recursive: true })) {
  if (!name.endsWith('.html')) continue;
  const file = new URL(name, documents);
  writeFileSync(file, withFiles(readFileSync(file, 'utf8')));
}

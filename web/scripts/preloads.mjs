// Moves the documents' files into the app's folder (dist/assets) after `astro build`, and writes
// into each document the names of the files that it needs first.
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

/** Returns a script and all its static imports. */
function closure(name, seen = new Set()) {
  if (seen.has(name) || !existsSync(new URL(name, assets))) return seen;
  seen.add(name);
  const code = readFileSync(new URL(name, assets), 'utf8');
  for (const [, next] of code.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) closure(next, seen);
  return seen;
}

/** Returns the files of an island: its component, its renderer, and all their static imports. */
const filesOf = (island) => [
  ...new Set([...island.matchAll(/(?:component|renderer)-url="\/assets\/([^"]+)"/g)].flatMap(([, name]) => [...closure(name)])),
];

/**
 * Writes the names of each island's files into the document, so that they load in parallel. They
 * load with the document, or at the first touch if the island waits for it
 * (src/app/documents/touch.ts).
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

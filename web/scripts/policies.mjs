// After `astro build`: puts the documents' files beside the app's (dist/assets), names in each document the code it begins with, and
// writes dist/documents/policies.json: the hashes of the scripts and styles within each document, of which the server makes its
// policy. Fails where a document has what no policy of ours allows.
import { createHash } from 'node:crypto';
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

const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const within = (html, tag) => [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>([\\s\\S]*?)</${tag}>`, 'g'))];
const runs = (attributes) => !/\bsrc=/.test(attributes) && !/type="application\/json"/.test(attributes);

function partsOf(name, html) {
  const scripts = within(html, 'script').filter(([, attributes]) => runs(attributes));
  const styles = within(html, 'style');
  const markup = html.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '');
  const wrong = [
    [/\sstyle="/.test(markup), 'an element with a style of its own'],
    [/\son[a-z]+="/.test(markup), 'a handler in its markup'],
    [[...scripts, ...styles].some(([, , text]) => text.includes('⟦')), 'a place for the server in a script or style'],
    [markup.includes('http-equiv="content-security-policy"'), 'a policy of its own'],
  ];
  for (const [so, what] of wrong) if (so) throw new Error(`${name} has ${what}`);
  const hashes = (parts) => [...new Set(parts.map(([, , text]) => hash(text)))];
  return { scripts: hashes(scripts), styles: hashes(styles) };
}

moveFiles();
const table = {};
for (const name of readdirSync(documents, { recursive: true })) {
  if (!name.endsWith('.html')) continue;
  const html = withFiles(readFileSync(new URL(name, documents), 'utf8'));
  table[name] = partsOf(name, html);
  writeFileSync(new URL(name, documents), html);
}
writeFileSync(new URL('policies.json', documents), JSON.stringify(table));

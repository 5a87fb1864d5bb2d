// Writes dist/documents/policies.json, after `scripts/preloads.mjs`: the hashes of the inline
// scripts and styles of each document. The server creates its content security policies from them.
// Fails if a document contains something that no policy allows.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const documents = new URL('../dist/documents/', import.meta.url);

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

const table = {};
for (const name of readdirSync(documents, { recursive: true }))
  if (name.endsWith('.html')) table[name] = partsOf(name, readFileSync(new URL(name, documents), 'utf8'));
writeFileSync(new URL('policies.json', documents), JSON.stringify(table));

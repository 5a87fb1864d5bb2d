// Compares the packages that npm installed with the lock: each must have the locked version and
// integrity, and none may be missing from the lock.
//   node scripts/locked.mjs     in web/
import { readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
const [locked, installed] = [read('package-lock.json'), read('node_modules/.package-lock.json')];
const wrong = [];
for (const [path, found] of Object.entries(installed)) {
  const wanted = locked[path];
  if (wanted === undefined) wrong.push(`${path} ${found.version} is not in the lock`);
  else if (wanted.version !== found.version || wanted.integrity !== found.integrity)
    wrong.push(`${path} is ${found.version}, the lock has ${wanted.version}`);
}
// Only packages of other platforms may be missing.
for (const [path, wanted] of Object.entries(locked))
  if (path !== '' && !wanted.optional && !wanted.peer && installed[path] === undefined) wrong.push(`${path} is missing`);
if (wrong.length > 0) {
  console.error(`the installed packages are not those of package-lock.json:\n${wrong.join('\n')}`);
  process.exit(1);
}

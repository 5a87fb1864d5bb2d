// Checks that files have at most 400 lines, except tests, so that they stay readable. It covers
// src, mock and e2e.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MOST_LINES = 400;
const skip = /node_modules|schema\.ts$|\.test\.tsx?$|\.json$/;

function walk(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}

const long = ['src', 'mock', 'e2e']
  .flatMap(walk)
  .filter((path) => /\.(tsx?|css)$/.test(path) && !skip.test(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length }))
  .filter(({ lines }) => lines > MOST_LINES);

for (const { path, lines } of long) console.error(`${path}: ${lines} lines, at most ${MOST_LINES}`);
process.exit(long.length > 0 ? 1 : 0);

// Writes what an installed app needs beside the build: dist/open/offline.html, and dist/worker.js, whose name has no checksum,
// because a browser asks for its worker under one name for ever. Run after `vite build`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { offlinePage } from '../src/shared/pwa/offlinePage.ts';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

const page = offlinePage(readFileSync(new URL('mark.svg', dist), 'utf8'));
mkdirSync(new URL('open/', dist), { recursive: true });
writeFileSync(new URL('open/offline.html', dist), page);

const built = new URL(manifest['src/shared/pwa/worker.ts'].file, dist);
const worker = readFileSync(built, 'utf8');
// A classic worker has no modules, and the browser fetches no second file for it.
if (/^\s*(?:import|export)\b|[;}](?:import|export)[\s{"']/.test(worker))
  throw new Error('the worker imports or exports something');
const checksum = createHash('sha256').update(page).digest('hex').slice(0, 12);
writeFileSync(new URL('worker.js', dist), worker.replace('__CHECKSUM__', checksum));
rmSync(built);

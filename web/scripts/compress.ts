import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|html|svg|json|txt|webmanifest)$/;
const SMALLEST_BYTES = 512;

async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries.map((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : Promise.resolve([join(folder, entry.name)]))),
  );
  return nested.flat();
}

/** Writes `.br` and `.gz` beside each text asset, so that the server never compresses while someone waits. */
export function precompress(): Plugin {
  let folder = 'dist';
  return {
    name: 'sooner-precompress',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      for (const file of await walk(folder)) {
        if (!COMPRESSIBLE.test(file) || (await stat(file)).size < SMALLEST_BYTES) continue;
        const bytes = await readFile(file);
        await writeFile(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

/** Reads the manifest of the app's build. It is used while documents are built. */
const manifest = () =>
  JSON.parse(readFileSync(resolve(process.cwd(), 'dist/.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/**
 * Returns the scripts and style sheets that some modules need at once: their own, and those of
 * their static imports.
 */
export function assetsOf(modules: string[]): { scripts: string[]; styles: string[] } {
  const chunks = manifest();
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (key: string) => {
    const chunk = chunks[key];
    if (!chunk) throw new Error(`${key} is not in the build`);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const next of chunk.imports ?? []) add(next);
    for (const sheet of chunk.css ?? []) styles.add(sheet);
  };
  for (const key of modules) add(key);
  return { scripts: [...scripts].filter((file) => file.endsWith('.js')), styles: [...styles] };
}

// Finds a module's chunk in Vite's manifest. A chunk that is a module's own is named by the path of the module; one that a module
// shares with importers of other kinds is named only by the module's name.
import { basename, extname } from 'node:path';

/** The manifest's key of the chunk that holds a module, or undefined where the build has none. */
export function chunkOf(manifest, path) {
  if (manifest[path]) return path;
  const name = basename(path, extname(path));
  return Object.keys(manifest).find((key) => key.startsWith('_') && manifest[key].name === name);
}

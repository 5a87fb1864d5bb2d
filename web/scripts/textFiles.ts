// Reads the texts of the product in src, beside the code that uses them. The build of documents and
// tests use it.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Texts as written: groups within groups, texts at the ends. */
export type Tree = { [key: string]: string | Tree };

/** The texts in a folder's `words` in one language. */
export interface TextFile {
  folder: string;
  language: 'en' | 'zh';
  /** Texts by their full keys. */
  texts: Map<string, string>;
}

const PATH = /^(.+)\/words\/(en|zh)\.json$/;
/** Texts of our components, which are no part of i18next's (shared/ui/UiTexts.tsx). */
const OTHER = 'shared/ui';

/** Returns the texts of a tree by their full keys. */
export function flat(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value);
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) found.set(inner, text);
  }
  return found;
}

/** Returns all text files below `src`. `root` is the folder `web`. */
export function textFiles(root = process.cwd()): TextFile[] {
  const src = resolve(root, 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => PATH.exec(path.replaceAll('\\', '/')))
    .filter((match) => match !== null && match[1] !== OTHER)
    .map((match) => {
      const [path, folder, language] = match as unknown as [string, string, 'en' | 'zh'];
      return { folder, language, texts: flat(JSON.parse(readFileSync(resolve(src, path), 'utf8')) as Tree) };
    })
    .sort((a, b) => a.folder.localeCompare(b.folder));
}

/** Returns every text in a language by its full key. */
export function allTexts(language: 'en' | 'zh', root?: string): Record<string, string> {
  return Object.fromEntries(
    textFiles(root)
      .filter((file) => file.language === language)
      .flatMap((file) => [...file.texts]),
  );
}

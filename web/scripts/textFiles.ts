// Reads the text files of the product, which are beside the code that uses them. The build of
// documents and tests use this module.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Texts as nested groups, as in a text file. */
export type Tree = { [key: string]: string | Tree };

/** Text file: the texts of one folder in one language. */
export interface TextFile {
  folder: string;
  language: 'en' | 'zh';
  /** Texts by their complete keys. */
  texts: Map<string, string>;
}

const PATH = /^(.+)\/words\/(en|zh)\.json$/;
/** Folder whose texts are not part of i18next (shared/ui/UiTexts.tsx). */
const OTHER = 'shared/ui';

/** Returns the texts of nested groups by their complete keys. */
export function flat(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value);
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) found.set(inner, text);
  }
  return found;
}

/** Returns all text files in `src`. `root` is the folder `web`. */
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

/** Returns all texts of a language by their complete keys. */
export function allTexts(language: 'en' | 'zh', root?: string): Record<string, string> {
  return Object.fromEntries(
    textFiles(root)
      .filter((file) => file.language === language)
      .flatMap((file) => [...file.texts]),
  );
}

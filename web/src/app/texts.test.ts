import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textFiles } from '../../scripts/textFiles.ts';
import { authPages } from './documents/authPages.ts';
import { frameTexts, textsOf } from './documents/texts.ts';
import { frameTextFolders, pageTextFolders } from './pageTextFolders.ts';

const src = resolve(import.meta.dirname, '..');
const IMPORT = /(?:from|import)\s*'(\.[^']*\.tsx?)'/g;
const DYNAMIC_IMPORT = /import\('(\.[^']*\.tsx?)'\)/g;
const TYPE_IMPORT = /import type [^;]*;/g;
/** Matches keys in the source code: complete keys, or the beginning of a computed key. */
const TEXT = /'((?:\w+\.)+\w*)'|"((?:\w+\.)+\w*)"|`((?:\w+\.)+\w*)(\$\{|`)/g;
/**
 * Matches the suffixes of keys that the code does not name: i18next's plurals, and the replacements
 * for servers that charge nothing.
 */
const ENDING = /(?:_(?:one|other))?(?:_unbilled)?$/;

const english = textFiles().filter((file) => file.language === 'en');
/** Folder that defines each key. */
const homes = new Map(english.flatMap(({ folder, texts }) => [...texts.keys()].map((key) => [key, folder] as const)));

const modules = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(?:tsx?|astro)$/.test(path) && !/\.test\.|testing\.tsx|\.d\.ts$|schema\.ts$/.test(path),
);
const moduleOf = (page: string) => resolve(src, modules.find((path) => path.endsWith(`/${page}.tsx`)) ?? page);
const documentTitles = ['app/documents/authPages.ts', 'app/documents/publicPages.ts'].map((path) => resolve(src, path));
const isPage = new Set(Object.keys(pageTextFolders).map(moduleOf));

const sources = new Map<string, string>();
function source(file: string): string {
  const text = sources.get(file) ?? readFileSync(file, 'utf8').replace(TYPE_IMPORT, '');
  sources.set(file, text);
  return text;
}

const keysByFile = new Map<string, string[]>();
/** Returns the keys that a module names. */
function keysIn(file: string): string[] {
  const known = keysByFile.get(file);
  if (known) return known;
  const found = new Set<string>();
  for (const [, single, double, template, end] of source(file).matchAll(TEXT)) {
    const name = single ?? double ?? template ?? '';
    const begins = end === '${' || name.endsWith('.');
    for (const key of homes.keys())
      if (begins ? key.startsWith(name) : key === name || key.replace(ENDING, '') === name) found.add(key);
  }
  keysByFile.set(file, [...found]);
  return [...found];
}

/**
 * Returns the calls of `withTexts` in a module, with their position and the folders that they name.
 */
function withTextsIn(text: string): { from: number; to: number; folders: string[] }[] {
  return [...text.matchAll(/withTexts\(\s*\[([^\]]*)\]/g)].map((call) => {
    let depth = 0;
    let to = call.index + 'withTexts'.length;
    do {
      if (text[to] === '(') depth += 1;
      if (text[to] === ')') depth -= 1;
      to += 1;
    } while (depth > 0);
    return { from: call.index, to, folders: [...(call[1] ?? '').matchAll(/'([^']+)'/g)].map(([, folder]) => folder as string) };
  });
}

interface Use {
  key: string;
  file: string;
  has: ReadonlySet<string>;
}

/**
 * Returns the keys that a module and its static and lazy imports use, each with the folders loaded
 * at that point.
 */
function usesFrom(root: string, folders: readonly string[]): Use[] {
  const uses: Use[] = [];
  const seen = new Set<string>();
  const visit = (file: string, has: ReadonlySet<string>) => {
    const name = `${file} ${[...has].sort()}`;
    if (seen.has(name) || !existsSync(file) || (isPage.has(file) && file !== root)) return;
    seen.add(name);
    // Titles of documents are not loaded by the app, so these files are skipped.
    for (const key of documentTitles.includes(file) ? [] : keysIn(file)) uses.push({ key, file, has });
    const text = source(file);
    const calls = withTextsIn(text);
    for (const [, path] of text.matchAll(IMPORT)) visit(resolve(dirname(file), path as string), has);
    for (const later of text.matchAll(DYNAMIC_IMPORT)) {
      const call = calls.find(({ from, to }) => from < later.index && later.index < to);
      visit(resolve(dirname(file), later[1] as string), call ? new Set([...has, ...call.folders]) : has);
    }
  };
  visit(root, new Set(folders));
  return uses;
}

const missing = (uses: Use[]) =>
  uses
    .filter(({ key, has }) => !has.has(homes.get(key) as string))
    .map(({ key, file }) => `${key} (${file.slice(src.length + 1)})`);

describe('the texts of the app', () => {
  it('are loaded before the page frame uses them', () => {
    expect(missing(usesFrom(resolve(src, 'app/main.tsx'), frameTextFolders))).toEqual([]);
  });

  it.each(Object.entries(pageTextFolders))(
    'are loaded before %s uses them, and no other texts are loaded with it',
    (page, folders) => {
      const without = (left: string | null) =>
        missing(usesFrom(moduleOf(page), [...frameTextFolders, ...folders.filter((folder) => folder !== left)]));
      expect(without(null)).toEqual([]);
      expect(folders.filter((folder) => without(folder).length === 0)).toEqual([]);
    },
  );

  it('are in the documents whose pages use them', () => {
    const pagesOf = readFileSync(resolve(src, 'app/documents/pages.tsx'), 'utf8');
    for (const [name, { texts, title }] of Object.entries(authPages)) {
      const page = new RegExp(`${name}: (?:forGuests\\()?(\\w+)`).exec(pagesOf)?.[1] as string;
      const given = textsOf('en', [...frameTexts, ...texts]);
      const frame = usesFrom(resolve(src, 'app/documents/DocumentFrame.tsx'), []);
      const keys = [title, ...[...frame, ...usesFrom(moduleOf(page), [])].map(({ key }) => key)];
      expect([name, keys.filter((key) => !(key in given))]).toEqual([name, []]);
    }
  });

  it('are all used', () => {
    const used = new Set(modules.flatMap((path) => keysIn(resolve(src, path))));
    expect([...homes.keys()].filter((key) => !used.has(key))).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { type Area, areas, inDocuments } from '../src/shared/i18n/areas.ts';

/** Words as they are written: sections within sections, texts at the ends. */
export type Tree = { [key: string]: string | Tree };

/** Areas that stand alone; to all others `app` has come before, so that they need not say again what is said there. */
const alone: readonly Area[] = ['app', 'open', 'pay'];
/** Areas of the open pages, where `open` has come before and `app` has not. */
const onOpenPages: readonly Area[] = ['showcase', 'gallery', 'contact', 'signUp', 'member', 'faq'];

const IMPORT = /(?:from|import\(|import)\s*'(\.[^']*\.tsx?)'/g;
const TYPE_IMPORT = /import type [^;]*;/g;
const TEXT = /'((?:[\w]+\.)+[\w]*)'|"((?:[\w]+\.)+[\w]*)"|`((?:[\w]+\.)+[\w]*)(\$\{|`)/g;
/** i18next's endings for one and for many; the code names the key without them. */
const ENDING = /_(?:zero|one|two|few|many|other)$/;

/** The texts of a tree by their full keys. */
export function flat(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value);
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) found.set(inner, text);
  }
  return found;
}

function nested(texts: Map<string, string>): Tree {
  const tree: Tree = {};
  for (const [key, text] of texts) {
    const path = key.split('.');
    const last = path.pop() as string;
    let at = tree;
    for (const part of path) {
      at[part] ??= {};
      at = at[part] as Tree;
    }
    at[last] = text;
  }
  return tree;
}

/** Reads the web's sources, and tells which words each area can say. `root` is the folder `web`. */
export class Splitter {
  private readonly roots: Map<string, Area>;
  private readonly saidBy = new Map<string, Set<string>>();
  private readonly keys: string[];

  constructor(
    private readonly root: string,
    words: Tree,
  ) {
    this.roots = new Map((Object.entries(areas) as [Area, string][]).map(([area, path]) => [resolve(root, path), area]));
    this.keys = [...flat(words).keys()];
  }

  /** The modules of an area: its own and all it imports, at once or later, up to where another area begins. */
  modulesOf(area: Area): Set<string> {
    const seen = new Set<string>();
    const visit = (file: string) => {
      const other = this.roots.get(file);
      if (seen.has(file) || !existsSync(file) || (other !== undefined && other !== area)) return;
      seen.add(file);
      const text = readFileSync(file, 'utf8').replace(TYPE_IMPORT, '');
      for (const [, path] of text.matchAll(IMPORT)) visit(resolve(dirname(file), path as string));
    };
    visit(resolve(this.root, areas[area]));
    return seen;
  }

  /** The keys that a module names, whole or by how they begin. */
  private keysIn(file: string): Set<string> {
    const known = this.saidBy.get(file);
    if (known) return known;
    const said = new Set<string>();
    for (const [, single, double, template, end] of readFileSync(file, 'utf8').matchAll(TEXT)) {
      const name = single ?? double ?? template ?? '';
      const begins = end === '${' || name.endsWith('.');
      for (const key of this.keys)
        if (begins ? key.startsWith(name) : key === name || key.replace(ENDING, '') === name) said.add(key);
    }
    this.saidBy.set(file, said);
    return said;
  }

  /** All keys that an area's modules can say. */
  saidIn(area: Area): Set<string> {
    const said = new Set<string>();
    for (const file of this.modulesOf(area)) for (const key of this.keysIn(file)) said.add(key);
    return said;
  }

  /** The words of an area, without those that have come before. */
  piece(area: Area, words: Tree): Tree {
    // Parts of open pages may be the app's too: only what both have said before is not said again.
    const before = alone.includes(area)
      ? []
      : (onOpenPages.includes(area) ? (['open', 'app'] as const) : (['app'] as const)).map((one) => this.saidIn(one));
    const again = (key: string) => before.length > 0 && before.every((said) => said.has(key));
    const said = this.saidIn(area);
    return nested(new Map([...flat(words)].filter(([key]) => said.has(key) && !again(key))));
  }
}

const LISTS = 'virtual:words/';
const PIECE = /^\0words:(en|zh)\/(\w+)$/;

/** The module that says how each piece is loaded, in the app or on the open pages. */
function list(which: string): string {
  const names =
    which === 'open'
      ? ['open', ...onOpenPages]
      : (Object.keys(areas) as Area[]).filter((area) => area !== 'open' && !inDocuments.includes(area));
  const loaders = (language: string) =>
    names.map((area) => `${area}: () => import(${JSON.stringify(`virtual:words/${language}/${area}`)})`).join(',');
  return `export default { en: {${loaders('en')}}, zh: {${loaders('zh')}} };`;
}

/**
 * Serves the pieces, and the lists of them. Only a build splits: while the web is worked on, and in tests, the first piece has
 * everything and the others nothing.
 */
export function splitWords(root: string): Plugin {
  let building = false;
  let splitter: Splitter | null = null;
  return {
    name: 'sooner:words',
    configResolved(config) {
      building = config.command === 'build';
    },
    resolveId: (id) => (id.startsWith(LISTS) ? `\0words:${id.slice(LISTS.length)}` : null),
    load(id) {
      if (id === '\0words:app' || id === '\0words:open') return list(id.slice(7));
      const [, language, area] = PIECE.exec(id) ?? [];
      if (!language || !area) return null;
      const file = resolve(root, `src/shared/i18n/${language}.json`);
      const words = JSON.parse(readFileSync(file, 'utf8')) as Tree;
      this.addWatchFile(file);
      splitter ??= new Splitter(root, words);
      const first = area === 'app' || area === 'open';
      return `export default ${JSON.stringify(building ? splitter.piece(area as Area, words) : first ? words : {})};`;
    },
  };
}

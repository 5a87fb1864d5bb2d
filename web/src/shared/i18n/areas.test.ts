import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flat, Splitter, type Tree } from '../../../scripts/words.ts';
import { type Area, areas, inDocuments } from './areas.ts';
import en from './en.json';
import zh from './zh.json';

const root = resolve(import.meta.dirname, '../../..');
const splitter = new Splitter(root, en as Tree);
const names = Object.keys(areas) as Area[];
const source = (path: string) => readFileSync(resolve(root, path), 'utf8');
const sources = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|testing\.tsx|\.d\.ts$/.test(path))
  .map((path) => `src/${path}`);
/** Where areas are asked for: `withWords('task', … import('…'))`, or the router's `page`. */
const asked = ['src/app/router.tsx', 'src/app/open/liveParts.tsx', 'src/app/open/OpenApp.tsx'].flatMap((path) =>
  [...source(path).matchAll(/(?:withWords|page|muiPage)\(\s*'(\w+)',[\s\S]*?import\('(\.[^']*)'\)/g)].map(([, area, module]) => ({
    area: area as Area,
    module: resolve(root, path, '..', module as string),
  })),
);

describe('the pieces of the words', () => {
  it('are asked for together with the modules that say them', () => {
    const first: string[] = ['app', 'open', 'pay', ...inDocuments];
    expect([...new Set(asked.map(({ area }) => area))].sort()).toEqual(names.filter((area) => !first.includes(area)).sort());
    for (const { area, module } of asked.filter(({ area }) => area !== 'signUp'))
      expect([area, module]).toEqual([area, resolve(root, areas[area])]);
  });

  it('cover every module of the product that says anything', () => {
    const reached = new Set(names.flatMap((area) => [...splitter.modulesOf(area)]));
    const documents = new Set([
      'src/app/open/documentParts.tsx',
      'src/app/open/server.tsx',
      'src/features/site/landing/homeParts.ts',
    ]);
    const silent = sources.filter((path) => !reached.has(resolve(root, path)) && /\bt\(['"`]/.test(source(path)));
    // What is only in documents is said there, where all words are.
    const said = silent.filter((path) => !documents.has(path) && !/site\/landing\/|app\/(shell|open)\//.test(path));
    expect(said).toEqual([]);
  });

  it('have, with what came before them, each key that their modules name', () => {
    for (const area of names) {
      const own = flat(splitter.piece(area, en as Tree));
      const before = areasBefore(area).map((one) => flat(splitter.piece(one, en as Tree)));
      for (const path of splitter.modulesOf(area))
        for (const [, key = ''] of readFileSync(path, 'utf8').matchAll(/\bt\(\s*'([\w.]+)'/g))
          expect([
            area,
            key,
            [key, `${key}_one`, `${key}_other`].some((one) => own.has(one) || before.every((said) => said.has(one))),
          ]).toEqual([area, key, true]);
    }
  });

  it('say the same keys in both languages, and little before they are needed', () => {
    for (const area of names)
      expect([...flat(splitter.piece(area, zh as Tree)).keys()].sort()).toEqual(
        [...flat(splitter.piece(area, en as Tree)).keys()].sort(),
      );
    expect(flat(splitter.piece('open', en as Tree)).size).toBeLessThan(60);
  });

  it('have every key that is put together of pieces', () => {
    const task = flat(splitter.piece('task', en as Tree));
    const journal = [...flat(en as Tree).keys()].filter((key) => key.startsWith('journal.'));
    expect(journal.filter((key) => !task.has(key))).toEqual([]);
  });
});

/** The areas that may have come before an area: one of them, never surely both. */
function areasBefore(area: Area): Area[] {
  const parts: Area[] = ['showcase', 'gallery', 'contact', 'signUp', 'member', 'faq'];
  if (area === 'app' || area === 'open' || area === 'pay') return [area];
  return parts.includes(area) ? ['open', 'app'] : ['app'];
}

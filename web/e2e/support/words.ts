import { readFileSync } from 'node:fs';
import type { Language } from '../../src/shared/i18n/language.ts';
import type { Words } from '../../src/shared/i18n/words.ts';

type Tree = { [key: string]: string | Tree };

/** Looks words up as the page does, so that a test names keys and never sentences. */
export class WordBook {
  private readonly tree: Tree;

  constructor(readonly language: Language) {
    this.tree = JSON.parse(readFileSync(new URL(`../../src/shared/i18n/${language}.json`, import.meta.url), 'utf8')) as Tree;
  }

  /** The words of a key, placeholders left as they are. */
  text(key: Words | `${string}_one` | `${string}_other`): string {
    let node: string | Tree | undefined = this.tree;
    for (const part of key.split('.')) node = typeof node === 'object' ? node[part] : undefined;
    if (typeof node !== 'string') throw new Error(`no words for ${key}`);
    return node;
  }

  /** The words of a key as a pattern in which any value may stand for a placeholder. */
  pattern(key: Words | `${string}_one` | `${string}_other`): RegExp {
    const escaped = this.text(key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(escaped.replace(/\\\{\\\{[a-z]+\\\}\\\}/gi, '.*'));
  }
}

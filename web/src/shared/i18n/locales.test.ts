import { describe, expect, it } from 'vitest';
import en from './en.json';
import zh from './zh.json';

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${prefix}${key}`, value]] : Object.entries(flat(value, `${prefix}${key}.`)),
    ),
  );
}

const english = flat(en);
const chinese = flat(zh);
const marks = (text: string) => (text.match(/\{\{[^}]+\}\}|<\/?[a-z]+>/g) ?? []).sort();

describe('the two locale files', () => {
  it('have the same keys', () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  });

  it('have the same placeholders and tags in each text', () => {
    for (const [key, text] of Object.entries(english)) expect([key, marks(chinese[key] ?? '')]).toEqual([key, marks(text)]);
  });

  it('say something under every key', () => {
    for (const [key, text] of [...Object.entries(english), ...Object.entries(chinese)])
      expect([key, text.trim().length > 0]).toEqual([key, true]);
  });

  it('address people with 您 and put a space between Han and Latin', () => {
    const glued = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u;
    for (const [key, text] of Object.entries(chinese)) {
      const bare = text.replace(/<\/?[a-z]+>/g, '').replace(/\{\{[^}]+\}\}/g, '#');
      expect([key, bare.includes('你'), glued.test(bare)]).toEqual([key, false, false]);
    }
  });

  it('write full-width punctuation in Chinese sentences', () => {
    for (const [key, text] of Object.entries(chinese))
      expect([key, /\p{Script=Han}[,;:?!.](?:\s|$|\p{Script=Han})/u.test(text)]).toEqual([key, false]);
  });
});

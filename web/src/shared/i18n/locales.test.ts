import { describe, expect, it } from 'vitest';
import { allTexts, textFiles } from '../../../scripts/textFiles.ts';

const english = allTexts('en');
const chinese = allTexts('zh');
const marks = (text: string) => (text.match(/\{\{[^}]+\}\}|<\/?[a-z]+>/g) ?? []).sort();

describe('the texts in both languages', () => {
  // spec: 1.01
  it('have the same keys in each folder, and each key in one folder', () => {
    const files = textFiles();
    const keys = (language: string) =>
      files.filter((file) => file.language === language).map(({ folder, texts }) => [folder, [...texts.keys()].sort()]);
    expect(keys('zh')).toEqual(keys('en'));
    const all = files.filter((file) => file.language === 'en').flatMap(({ texts }) => [...texts.keys()]);
    expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([]);
  });

  // spec: 1.01
  it('have the same placeholders and tags in each text', () => {
    for (const [key, text] of Object.entries(english)) expect([key, marks(chinese[key] ?? '')]).toEqual([key, marks(text)]);
  });

  it('are never empty', () => {
    for (const [key, text] of [...Object.entries(english), ...Object.entries(chinese)])
      expect([key, text.trim().length > 0]).toEqual([key, true]);
  });

  it('address users with 您 and put a space between Chinese and Latin letters', () => {
    const glued = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u;
    for (const [key, text] of Object.entries(chinese)) {
      const bare = text.replace(/<\/?[a-z]+>/g, '').replace(/\{\{[^}]+\}\}/g, '#');
      expect([key, bare.includes('你'), glued.test(bare)]).toEqual([key, false, false]);
    }
  });

  it('have full-width punctuation in Chinese sentences', () => {
    for (const [key, text] of Object.entries(chinese))
      expect([key, /\p{Script=Han}[,;:?!.](?:\s|$|\p{Script=Han})/u.test(text)]).toEqual([key, false]);
  });
});

// @vitest-environment jsdom
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { allTexts } from '../../../scripts/wordFiles.ts';
import { authPages } from '../../app/documents/authPages.ts';
import { frameWords, wordsOf } from '../../app/documents/words.ts';
import { textOf } from './documentWords.tsx';
import { i18nReady } from './i18n.ts';

beforeAll(() => i18nReady);

describe.each(['zh', 'en'] as const)('a document in %s', (language) => {
  it('has i18next’s texts, with one, with many, and with dates', async () => {
    await i18next.changeLanguage(language);
    const words = allTexts(language);
    const same = (key: string, values: Record<string, unknown>) =>
      expect(textOf({ language, words }, key, values)).toBe(i18next.t(key as never, values as never));
    for (const count of [0, 1, 2, 60]) {
      same('auth.forgotAgainIn', { count });
      same('problem.waitSeconds', { count });
      same('problem.waitMinutes', { count });
    }
    same('auth.asidePicture', { from: '2027-08-10', to: '2027-02-02', days: 189 });
    same('auth.checkMailText', { email: 'lin@example.com' });
    same('auth.signIn', {});
  });

  it('has the texts of its frame and its page, and none of the app’s', () => {
    for (const { words: groups, title } of Object.values(authPages)) {
      const words = wordsOf(language, [...frameWords, ...groups]);
      for (const key of [title, 'footer.disclaimer', 'shell.skip', 'brand.name', 'auth.asideBack'])
        expect(words[key]).toBeTruthy();
      expect(Object.keys(words).filter((key) => /^(dashboard|faq|ledger)\./.test(key))).toEqual([]);
    }
  });
});

it('throws for a missing text and never shows a key', () => {
  expect(() => textOf({ language: 'en', words: {} }, 'auth.signIn')).toThrow('auth.signIn');
});

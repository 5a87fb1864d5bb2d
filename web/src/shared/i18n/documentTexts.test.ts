// @vitest-environment jsdom
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { allTexts } from '../../../scripts/textFiles.ts';
import { authPages } from '../../app/documents/authPages.ts';
import { frameTexts, textsOf } from '../../app/documents/texts.ts';
import { textOf } from './documentTexts.tsx';
import { i18nReady } from './i18n.ts';

beforeAll(() => i18nReady);

describe.each(['zh', 'en'] as const)('a document in %s', (language) => {
  it('has the same texts as i18next, in singular and plural, and with dates', async () => {
    await i18next.changeLanguage(language);
    const texts = allTexts(language);
    const same = (key: string, values: Record<string, unknown>) =>
      expect(textOf({ language, texts }, key, values)).toBe(i18next.t(key as never, values as never));
    for (const count of [0, 1, 2, 60]) {
      same('auth.forgotAgainIn', { count });
      same('problem.waitSeconds', { count });
      same('problem.waitMinutes', { count });
    }
    same('auth.asidePicture', { from: '2027-08-10', to: '2027-02-02', days: 189 });
    same('auth.openMail', { site: 'mail.qq.com' });
    same('auth.signIn', {});
  });

  it('contains the texts of its frame and its page, and none of the app', () => {
    for (const { texts: groups, title } of Object.values(authPages)) {
      const texts = textsOf(language, [...frameTexts, ...groups]);
      for (const key of [title, 'footer.disclaimer', 'shell.skip', 'brand.name', 'auth.asideBack'])
        expect(texts[key]).toBeTruthy();
      expect(Object.keys(texts).filter((key) => /^(dashboard|faq|ledger)\./.test(key))).toEqual([]);
    }
  });
});

it('throws for a missing text, and never shows its key', () => {
  expect(() => textOf({ language: 'en', texts: {} }, 'auth.signIn')).toThrow('auth.signIn');
});

// @vitest-environment jsdom
import i18next from 'i18next';
import { expect, it } from 'vitest';
import { startI18n, switchLanguage, withTexts } from './translations.ts';

it('loads a page’s texts in the user’s language, and another language only when the user chooses it', async () => {
  localStorage.setItem('i18nextLng', 'en');
  const asked: string[] = [];
  startI18n(async (folder, language) => {
    asked.push(`${folder} ${language}`);
    return { [folder]: `${folder} ${language}` };
  });
  await expect(withTexts(['status'], async () => 'a page')).resolves.toBe('a page');
  expect(asked).toEqual(['status en']);

  // A page that is requested while the language changes gets texts in the new language.
  const page = withTexts(['task'], async () => 'another page');
  await switchLanguage('zh');
  await page;
  expect(asked).toEqual(expect.arrayContaining(['status zh', 'task zh']));
  expect([i18next.t('status' as never), i18next.t('task' as never)]).toEqual(['status zh', 'task zh']);
});

import i18next from 'i18next';
import { expect, it } from 'vitest';
import { speak, withWords } from './speak.ts';

// Alone in its file: nobody has spoken before, as when the router asks for its first page.
it('gives a page its words in the reader’s language alone, though the page is asked for before a language is known', async () => {
  expect(i18next.language).toBeUndefined();
  localStorage.setItem('i18nextLng', 'en');
  const asked: string[] = [];
  const piece = (name: string) => async () => {
    asked.push(name);
    return { default: { said: name } };
  };
  const of = (name: string) => ({ app: piece(`${name} app`), status: piece(`${name} status`) });
  const begun = speak({ en: of('en'), zh: of('zh') }, 'app');
  await expect(withWords('status', async () => 'a page')).resolves.toBe('a page');
  await begun;
  expect(asked.sort()).toEqual(['en app', 'en status']);
});

import { expect, it, vi } from 'vitest';
import { keepOwnLanguage, storedLanguage, toDocumentIn } from './remember.ts';

// A press before the page was alive is made again as soon as it is: what the page does once it is alive may come after it.
it('keeps the language that was chosen, also where the page comes to keep its own only then', () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { href: new URL('/terms', window.location.href).href, reload });
  keepOwnLanguage('en');
  expect([storedLanguage(), document.cookie]).toEqual(['en', 'lang=en']);
  toDocumentIn('zh');
  keepOwnLanguage('en');
  expect([storedLanguage(), document.cookie]).toEqual(['zh', 'lang=zh']);
  expect(reload).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

import { expect, it, vi } from 'vitest';
import { reloadInLanguage, storeDocumentLanguage, storedLanguage } from './languageStorage.ts';

// A press before the page is interactive is repeated once it is. This may happen before the page
// runs its own start-up code.
it('keeps the chosen language, even if the page stores its own language afterwards', () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { href: new URL('/terms', window.location.href).href, reload });
  storeDocumentLanguage('en');
  expect([storedLanguage(), document.cookie]).toEqual(['en', 'lang=en']);
  reloadInLanguage('zh');
  storeDocumentLanguage('en');
  expect([storedLanguage(), document.cookie]).toEqual(['zh', 'lang=zh']);
  expect(reload).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

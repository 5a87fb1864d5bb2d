import { afterEach, expect, it, vi } from 'vitest';
import { followThemeColor } from './themeColor.ts';

const root = document.documentElement;
/** Not by name: it is a classic script, and exports nothing. */
const LOADER = '/src/app/open/loader.ts';

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

/** The head of a document as prerender.mjs writes it; says which colours the browser's bars may take. */
function head() {
  document.head.innerHTML = ['light', 'dark']
    .map((scheme) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" data-scheme="${scheme}">`)
    .join('');
  return () => [...document.querySelectorAll('meta')].map(({ media }) => media);
}

it('colours the bars of the browser as was chosen, on an open page from its first moment, and when it is chosen anew', async () => {
  const media = head();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(document.createElement('script'));
  localStorage.setItem('sooner.mode', 'dark');
  await import(/* @vite-ignore */ LOADER);
  expect(root.dataset.theme).toBe('dark');
  expect(media()).toEqual(['not all', 'all']);

  followThemeColor();
  root.dataset.theme = 'light';
  await vi.waitFor(() => expect(media()).toEqual(['all', 'not all']));
});

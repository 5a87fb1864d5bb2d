// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { followThemeColor } from './themeColor.ts';

const root = document.documentElement;
/** Script at the start of every document. */
const first = readFileSync('src/app/documents/first.js', 'utf8');

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

/**
 * Creates the head of a document like Document.astro. Returns its colours for the browser's bars.
 */
function head() {
  document.head.innerHTML = ['light', 'dark']
    .map((scheme) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" data-scheme="${scheme}">`)
    .join('');
  return () => [...document.querySelectorAll('meta')].map(({ media }) => media);
}

it('sets the browser’s theme colour to the chosen scheme, when the document starts and when the choice changes', async () => {
  const media = head();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(document.createElement('script'));
  localStorage.setItem('sooner.mode', 'dark');
  new Function(first)();
  expect(root.dataset.theme).toBe('dark');
  expect(media()).toEqual(['not all', 'all']);

  followThemeColor();
  root.dataset.theme = 'light';
  await vi.waitFor(() => expect(media()).toEqual(['all', 'not all']));
});

// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { followThemeColor } from './themeColor.ts';

const root = document.documentElement;
/** The start of every document. */
const first = readFileSync('src/app/documents/first.js', 'utf8');

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

/**
 * Creates the head of a document like Document.astro. Returns the colours that the browser's bars
 * may have.
 */
function head() {
  document.head.innerHTML = ['light', 'dark']
    .map((scheme) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" data-scheme="${scheme}">`)
    .join('');
  return () => [...document.querySelectorAll('meta')].map(({ media }) => media);
}

it('sets the browser’s theme colour as chosen, in a document from its start, and at a new choice', async () => {
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

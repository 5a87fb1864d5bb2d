// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { preloadPage } from './preloadPage.ts';

afterEach(() => vi.unstubAllGlobals());

it('requests exactly the files that the page’s document names', async () => {
  const page = `<link rel="icon" href="/mark.svg"><link rel="modulepreload" crossorigin href="/assets/page-1.js">
    <link rel="stylesheet" crossorigin href="/assets/page-1.css"><script src="/first-paint.js"></script>
    <script type="module" crossorigin src="/assets/index-1.js"></script><div style="color:red"></div>`;
  vi.stubGlobal('fetch', async () => new Response(page));
  await preloadPage('/dashboard');
  const links = [...document.head.querySelectorAll('link')].map((link) => [link.rel, link.getAttribute('href')]);
  expect(links).toEqual([
    ['modulepreload', '/assets/page-1.js'],
    ['preload', '/assets/page-1.css'],
    ['modulepreload', '/assets/index-1.js'],
  ]);
});

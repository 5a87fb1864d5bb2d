import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { offlinePage } from './offlinePage.ts';
import { waitForServer } from './offlineScript.ts';
import { offlineWords } from './offlineWords.ts';

const mark = readFileSync('public/mark.svg', 'utf8');

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const shown = new DOMParser().parseFromString(offlinePage(mark), 'text/html');
  document.body.innerHTML = shown.body.innerHTML;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

it('asks nobody else for anything', () => {
  const page = offlinePage(mark);
  expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|href=|url\(|@import/);
  expect(Buffer.byteLength(page)).toBeLessThan(12_000);
});

it('says in both languages that the watching goes on', () => {
  for (const [language, lang] of [
    ['zh', 'zh-CN'],
    ['en', 'en'],
  ] as const) {
    const part = document.querySelector(`main[lang="${lang}"]`);
    expect(part?.querySelector('.network')?.textContent).toContain(offlineWords[language].networkText);
    expect(part?.querySelector('.server')?.textContent).toContain(offlineWords[language].serverText);
  }
});

it('speaks the language that was chosen, tells network from server, and opens the page once the server answers', async () => {
  localStorage.setItem('i18nextLng', 'en');
  localStorage.setItem('sooner.mode', 'dark');
  let up = false;
  const asked = vi.fn(async () => {
    if (!up) throw new TypeError('Failed to fetch');
    return new Response('ok');
  });
  vi.stubGlobal('fetch', asked);
  const replace = vi.fn();
  vi.stubGlobal('location', { pathname: '/offline', replace });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  waitForServer();
  const root = document.documentElement;
  expect([root.lang, root.dataset.theme, root.dataset.missing]).toEqual(['en', 'dark', 'network']);
  expect(document.title).toBe(offlineWords.en.network);
  expect(asked).not.toHaveBeenCalled();
  online.mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveBeenCalledWith('/healthz', expect.objectContaining({ cache: 'no-store' }));
  expect(document.title).toBe(offlineWords.en.server);
  expect(replace).not.toHaveBeenCalled();
  up = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(replace).toHaveBeenCalledWith('/');
});

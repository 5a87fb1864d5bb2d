// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OfflinePage } from './OfflinePage.tsx';
import { waitForServer } from './offlineScript.ts';
import { offlineStyles } from './offlineStyles.ts';
import { offlineTexts } from './offlineTexts.ts';

const body = renderToStaticMarkup(createElement(OfflinePage, { mark: readFileSync('public/mark.svg', 'utf8') }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  document.body.innerHTML = body;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

// spec: 10.14.03, 10.14.08
it('requests nothing from other hosts', () => {
  const page = [offlineStyles, body, waitForServer].join('');
  expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|href=|url\(|@import/);
  expect(Buffer.byteLength(page)).toBeLessThan(12_000);
});

it('states in both languages that the monitoring continues', () => {
  for (const [language, lang] of [
    ['zh', 'zh-CN'],
    ['en', 'en'],
  ] as const) {
    const part = document.querySelector(`main[lang="${lang}"]`);
    expect(part?.querySelector('.unreachable')?.textContent).toContain(offlineTexts[language].unreachableText);
    expect(part?.querySelector('.server')?.textContent).toContain(offlineTexts[language].serverText);
  }
});

// spec: 10.14.03
it('uses the chosen language, names the server as the cause only after a response, and opens the page once it is there', async () => {
  localStorage.setItem('i18nextLng', 'en');
  localStorage.setItem('sooner.mode', 'dark');
  let answer = async (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
  const asked = vi.fn(() => answer());
  vi.stubGlobal('fetch', asked);
  const replace = vi.fn();
  vi.stubGlobal('location', { pathname: '/offline', replace });
  // A browser may report a network connection although there is none.
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  waitForServer();
  const root = document.documentElement;
  expect([root.lang, root.dataset.theme, root.dataset.missing]).toEqual(['en', 'dark', 'unreachable']);
  expect(document.title).toBe(offlineTexts.en.unreachable);
  expect(asked).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toHaveBeenCalledWith('/healthz', expect.objectContaining({ cache: 'no-store' }));
  expect(document.title, 'nothing answered').toBe(offlineTexts.en.unreachable);
  answer = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(document.title, 'something answered').toBe(offlineTexts.en.server);
  answer = async () => Promise.reject(new TypeError('Failed to fetch'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(document.title, 'nothing answers any more').toBe(offlineTexts.en.unreachable);
  expect(replace).not.toHaveBeenCalled();
  answer = async () => new Response('ok');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(replace).toHaveBeenCalledWith('/');
});

// @vitest-environment jsdom
import i18next from 'i18next';
import { afterEach, expect, it, vi } from 'vitest';
import { toLanguage } from './language.ts';
import { startI18n, textLoading, withTexts } from './translations.ts';

const load = vi.fn();
localStorage.setItem('i18nextLng', 'en');
startI18n(load);

afterEach(() => {
  vi.useRealTimers();
});

// spec: 9.43
it('retries to load texts up to five times, after 350 ms and twice as long each time', async () => {
  vi.useFakeTimers();
  const asked: number[] = [];
  const began = Date.now();
  load.mockImplementation(async () => {
    asked.push(Date.now() - began);
    if (asked.length <= 5) throw new Error('no network');
    return { greeting: { hello: 'hi' } };
  });
  const page = withTexts(['features/one'], async () => 'a page');
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(page).resolves.toBe('a page');
  expect(asked).toEqual([0, 350, 1_050, 2_450, 5_250, 10_850]);
  expect(i18next.t('greeting.hello' as never)).toBe('hi');
});

it('loads up to ten files in parallel, and each file once', async () => {
  let open = 0;
  let most = 0;
  load.mockImplementation(async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((done) => setTimeout(done, 5));
    open -= 1;
    return {};
  });
  const folders = Array.from({ length: 25 }, (_, at) => `parts/${at}`);
  load.mockClear();
  await Promise.all([withTexts(folders, async () => null), withTexts(folders, async () => null)]);
  expect([most, load.mock.calls.length]).toEqual([textLoading.parallel, 25]);
  expect(textLoading.parallel).toBe(10);
});

// spec: 1.02, 1.03, 9.11
it('takes the language from storage, then the browser, then the page, and falls back to Chinese', async () => {
  expect(i18next.options.detection).toMatchObject({ order: ['localStorage', 'navigator', 'htmlTag'], caches: ['localStorage'] });
  const fallback = i18next.options.fallbackLng as (language?: string) => string[];
  expect([fallback('fr'), fallback('zh'), fallback('en'), fallback()]).toEqual([['zh'], ['zh'], [], []]);
  expect(i18next.options.supportedLngs).toEqual(expect.arrayContaining(['en', 'zh']));
  expect(['en', 'en-CA', 'EN-us', 'zh', 'zh-CN', 'zh-Hant', 'fr', '', null].map(toLanguage)).toEqual([
    'en',
    'en',
    'en',
    'zh',
    'zh',
    'zh',
    'zh',
    'zh',
    'zh',
  ]);
  await i18next.changeLanguage('en');
  expect(localStorage.getItem('i18nextLng')).toBe('en');
  expect(document.documentElement.lang).toBe('en');
});

it('removes the spaces around a Chinese name in a Chinese sentence', () => {
  const add = { add: '添加 {{name}}', on: '{{name}} 已开通' };
  i18next.addResourceBundle('zh', 'translation', { spaced: add });
  const textFor = (key: 'add' | 'on', name: string) => i18next.t(`spaced.${key}` as never, { lng: 'zh', name }) as string;
  expect([textFor('add', '短信'), textFor('on', '短信')]).toEqual(['添加短信', '短信已开通']);
  expect([textFor('add', 'Bark'), textFor('on', 'Bark')]).toEqual(['添加 Bark', 'Bark 已开通']);
});

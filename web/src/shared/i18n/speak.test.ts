import i18next, { createInstance } from 'i18next';
import { afterEach, expect, it, vi } from 'vitest';
import { i18nReady } from './i18n.ts';
import { toLanguage } from './language.ts';
import { wordLoading, wordsBy } from './speak.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('asks for words again up to five times, after 350 ms and twice as long each time', async () => {
  vi.useFakeTimers();
  const asked: number[] = [];
  const began = Date.now();
  const load = async () => {
    asked.push(Date.now() - began);
    if (asked.length <= 5) throw new Error('no network');
    return { default: { brand: { name: 'hi' } } };
  };
  const other = createInstance();
  const ready = other.use(wordsBy(load)).init({ ...wordLoading, lng: 'en', fallbackLng: 'en' });
  await vi.advanceTimersByTimeAsync(20_000);
  await ready;
  expect(asked).toEqual([0, 350, 1_050, 2_450, 5_250, 10_850]);
  expect(other.t('brand.name')).toBe('hi');
  expect(wordLoading.maxParallelReads).toBe(10);
});

it('takes a language from where it was stored, then the browser, then the page, and falls back to Chinese', async () => {
  await i18nReady;
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

// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchLetters } from './letters.ts';

const load = vi.fn();
const begun = () => vi.advanceTimersByTimeAsync(1_000);
const { dataset } = document.documentElement;

beforeEach(() => {
  vi.useFakeTimers();
  Object.defineProperty(document, 'fonts', { value: { load }, configurable: true });
});

afterEach(() => {
  vi.useRealTimers();
  load.mockReset();
  localStorage.clear();
  delete dataset.letters;
});

it('uses Inter once the page is rendered and the font has loaded, and at once on later pages', async () => {
  load.mockResolvedValue([{}]);
  fetchLetters();
  expect(load).not.toHaveBeenCalled();
  await begun();
  expect([dataset.letters, localStorage.getItem('sooner.letters')]).toEqual(['', '1']);
  fetchLetters();
  await begun();
  expect(load).toHaveBeenCalledOnce();
});

it('keeps the system font if the font file does not load', async () => {
  load.mockRejectedValue(new Error('network'));
  fetchLetters();
  await begun();
  expect([dataset.letters, localStorage.getItem('sooner.letters')]).toEqual([undefined, null]);
});

import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { i18nReady } from '../i18n/i18n.ts';
import { DateField } from './DateField.tsx';

vi.setConfig({ testTimeout: 30_000 });

/** A device with a mouse, or one with a finger. */
function device(fine: boolean) {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('pointer: fine') ? fine : false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
}

async function open(language: string, min?: string) {
  await i18nReady;
  await i18next.changeLanguage(language);
  const onChange = vi.fn();
  render(
    <Frame>
      <DateField label="start" value="2026-11-21" min={min} onChange={onChange} />
    </Frame>,
  );
  fireEvent.click(document.querySelector('button') as HTMLElement);
  return { onChange, picker: within(await screen.findByRole('dialog')) };
}

const label = () => document.querySelector('.MuiPickersCalendarHeader-label') as HTMLElement;
/** How many cells of this width stand in one row of their calendar, by its width, padding and gap. */
function perRow(cell: HTMLElement): number {
  const px = (text: string) => Number.parseFloat(text) || 0;
  const own = getComputedStyle(cell);
  const all = getComputedStyle(cell.parentElement as HTMLElement);
  const gap = px(all.columnGap);
  return Math.floor((px(all.width) - px(all.paddingLeft) - px(all.paddingRight) + gap) / (px(own.width) + gap));
}

beforeEach(() => device(true));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ['zh', '2026年11月'],
  ['en', 'November 2026'],
])('heads its calendar as the language writes a month (%s)', async (language, words) => {
  await open(language);
  expect(label().textContent).toBe(words);
});

it('offers the years 1900 to 2099, then the months', async () => {
  const { picker, onChange } = await open('en');
  fireEvent.click(label());
  const years = [...document.querySelectorAll('.MuiYearCalendar-root button')].map((year) => year.textContent);
  expect([years.length, years[0], years.at(-1)]).toEqual([200, '1900', '2099']);
  fireEvent.click(picker.getByText('2027'));
  const months = await picker.findAllByText(/^[A-Z][a-z]{2}$/);
  expect(months).toHaveLength(12);
  expect(onChange).toHaveBeenCalledWith('2027-11-21');
});

it('does not let a day before the least one be chosen', async () => {
  const { picker } = await open('en', '2026-11-20');
  expect(picker.getByText('19').closest('button')?.disabled).toBe(true);
  expect(picker.getByText('20').closest('button')?.disabled).toBe(false);
});

it.each([
  ['a desktop', 4, true],
  ['a phone', 3, false],
])('puts 3 months and, on %s, %i years into a row', async (_, years, fine) => {
  device(fine);
  const { picker } = await open('en');
  fireEvent.click(label());
  expect(perRow(document.querySelector('.MuiYearCalendar-root button') as HTMLElement)).toBe(years);
  fireEvent.click(picker.getByText('2027'));
  const [month] = await picker.findAllByText(/^[A-Z][a-z]{2}$/);
  expect(perRow(month as HTMLElement)).toBe(3);
});

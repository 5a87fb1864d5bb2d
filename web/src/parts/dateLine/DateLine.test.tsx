import { cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { DateLine } from './DateLine.tsx';

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
});

afterEach(cleanup);

it('shows the appointments of several groups, and names them', () => {
  const window = { start: '2026-12-15', end: '2027-03-31' };
  render(<DateLine today="2026-11-24" window={window} windowDays={107} present="2027-09-23" others={['2027-08-03']} />);
  const line = screen.getByRole('img');
  const plain = (text: string | null) => (text ?? '').replaceAll('\u2060', '');
  expect(plain(line.textContent)).toContain('Booked 2027-08-03');
  expect(plain(line.textContent)).toContain('Booked 2027-09-23');
  expect(plain(line.getAttribute('aria-label'))).toContain('booked 2027-08-03, booked 2027-09-23');
});

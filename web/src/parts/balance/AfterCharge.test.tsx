import { cleanup } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { AfterCharge } from './AfterCharge.tsx';
import { show, t } from './testing.tsx';

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
});

afterEach(cleanup);

it.each([
  ['a charge that leaves little', 120, 82, true],
  ['a charge that leaves enough', 200, 162, false],
  ['a task that is free', 20, 20, false],
  ['nothing chosen yet and nothing there', 0, 0, false],
  ['more than there is', 10, -28, false],
])('warns of a low balance after %s: %s to %s, %s', (_, before, after, warns) => {
  show(<AfterCharge before={before} after={after} currency="CAD" rehearsal />);
  const text = t('cost.lowAfter', { amount: '100.00', currency: 'CAD' });
  expect(document.body.textContent?.includes(text)).toBe(warns);
});

it('warns of a low balance before the submission, and only states it afterwards', () => {
  show(<AfterCharge before={88} after={12} currency="CAD" />);
  const page = document.body.textContent?.replaceAll('\u2060', '');
  expect(page).toContain(t('cost.lowNow', { amount: '12.00', currency: 'CAD' }));
  expect(page).not.toContain(t('cost.lowAfter', { amount: '100.00', currency: 'CAD' }));
});

it('shows the missing amount instead of a negative balance', () => {
  show(<AfterCharge before={0} after={-38} currency="CAD" rehearsal />);
  expect(document.body.textContent).toContain(`${t('cost.toPay')}38.00`);
  expect(document.body.textContent).not.toMatch(/[-−]38/);
});

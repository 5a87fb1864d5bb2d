import { expect, type Locator, type Page } from '@playwright/test';
import { Accounts } from '../pages/accounts.ts';
import { PageTexts } from '../support/pageTexts.ts';
import type { Ready } from '../support/ready.ts';

/** Signs in the demo's user, waits until the first task has booked, and returns the task's id. */
export async function signInToDemo(page: Page, ready: Ready): Promise<string> {
  await page.goto('/auth/login');
  await new Accounts(page, new PageTexts('zh')).signIn(ready.email, ready.password, '/dashboard');
  const card = page.getByRole('article').first();
  await expect(card.getByText(new PageTexts('zh').text('task.history')).first()).toBeVisible({ timeout: 120_000 });
  return (await card.getAttribute('id'))?.replace('task-', '') ?? '';
}

/** Opens the card of a task, if it is closed. */
export async function unfold(card: Locator): Promise<void> {
  const toggle = card.locator('button[aria-controls]').first();
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

/** Sets the language of the page for its next load. */
export async function speak(page: Page, language: 'zh' | 'en'): Promise<void> {
  await page.evaluate((next) => localStorage.setItem('i18nextLng', next), language);
}

/** Waits until no request runs. The wait is limited, because the event stream never ends. */
export async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState('networkidle', { timeout: 2_500 }).catch(() => undefined);
}

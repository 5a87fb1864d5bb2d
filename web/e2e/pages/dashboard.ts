import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import type { PageTexts } from '../support/pageTexts.ts';
import { pressAndUndo } from '../support/story.ts';

/** Page object of the dashboard: the balance and the card of the only task. */
export class Dashboard {
  readonly card: Locator;
  private readonly balance: Locator;

  constructor(
    private readonly page: Page,
    private readonly texts: PageTexts,
  ) {
    this.card = page.getByRole('article').first();
    this.balance = page.locator('#balance');
  }

  /** Redeems a top-up code in upper case in the sheet, and checks that it is credited. */
  async redeem(code: string): Promise<void> {
    const { page, texts, balance } = this;
    await page.getByRole('link', { name: texts.pattern('lines.topUp') }).click();
    await balance.getByLabel(texts.text('topup.label'), { exact: true }).fill(code.toUpperCase());
    await expect(balance.getByText(texts.text('topup.valid'))).toBeVisible();
    await balance.getByRole('button', { name: texts.text('topup.button'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: texts.text('topup.done') });
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: texts.text('topup.close'), exact: true }).click();
    await expect(balance.getByLabel(texts.text('topup.label'), { exact: true })).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(balance).toHaveCount(0);
  }

  /** Waits for the booking in the condition or the history, and checks that it is charged. */
  async expectBooking(): Promise<void> {
    const { texts, card } = this;
    await expect(card.getByText(texts.text('task.history'))).toBeVisible({ timeout: 180_000 });
    await expect(card.getByText(texts.text('task.captured'))).toBeVisible();
  }

  /**
   * Checks that the booking is announced with links, and animated on the date line. Both happen
   * once, however often the page is loaded.
   */
  async expectNews(): Promise<void> {
    const { page, texts, card } = this;
    const calendar = page.locator('[data-toasts]').getByRole('button', { name: texts.text('toast.calendar') });
    await expect(calendar).toBeVisible();
    const file = page.waitForEvent('download');
    await calendar.click();
    expect((await file).suggestedFilename()).toMatch(/^sooner-\d+\.ics$/);
    await expect(calendar).toHaveCount(0);
    await card.getByRole('img', { name: texts.pattern('dateline.saysGained_other') }).scrollIntoViewIfNeeded();
    await expect(page.locator('[data-drawn]')).toHaveCount(1);
    await page.reload();
    await expect(card.getByText(texts.text('task.history'))).toBeVisible();
    await card.getByRole('img', { name: texts.pattern('dateline.saysGained_other') }).scrollIntoViewIfNeeded();
    await expect(page.locator('[data-drawn]')).toHaveCount(0);
    await expect(calendar).toHaveCount(0);
  }

  /** Pauses the task, cancels that once, and starts the task again. */
  async pauseAndStart(): Promise<void> {
    const { texts, card } = this;
    const button = (key: 'task.pause' | 'task.start' | 'task.undo') =>
      card.getByRole('button', { name: texts.text(key), exact: true }).first();
    const press = () => button('task.pause').click();
    await pressAndUndo(this.page, press, () => button('task.undo').click());
    await press();
    await expect(card.getByText(texts.text('task.paused'), { exact: true }).first()).toBeVisible();
    await button('task.start').click();
    await expect(button('task.pause')).toBeVisible({ timeout: 30_000 });
  }

  /** Changes the minimum notice in the dialog, and checks it on the card. */
  async edit(): Promise<void> {
    const { page, texts, card } = this;
    await card.getByRole('button', { name: texts.text('task.edit'), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: texts.text('editor.title') });
    await dialog
      .getByRole('group', { name: texts.text('editor.minDays') })
      .getByRole('button', { name: '3', exact: true })
      .click();
    await dialog.getByRole('button', { name: texts.text('editor.save'), exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(card.getByText(texts.text('unit.days_other').replace('{{count}}', '3'), { exact: true })).toBeVisible();
  }

  /** Hides the personal data and shows it again. */
  async mask(): Promise<void> {
    const { texts, card } = this;
    await card.getByRole('button', { name: texts.text('task.hide'), exact: true }).click();
    await expect(card.getByRole('heading', { level: 3 })).toContainText('***');
    await card.getByRole('button', { name: texts.text('task.show'), exact: true }).click();
    await expect(card.getByRole('heading', { level: 3 })).not.toContainText('***');
  }

  /** Deletes the task, undoes that once, and deletes it again. */
  async remove(): Promise<void> {
    const { page, texts, card } = this;
    const button = card.getByRole('button', { name: texts.text('task.delete'), exact: true });
    await button.click();
    await page.getByRole('button', { name: texts.text('task.undo'), exact: true }).click();
    await expect(card).toBeVisible();
    const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok());
    await button.click();
    await deleted;
    await expect(page.getByText(texts.text('dashboard.emptyTitle'))).toBeVisible();
  }

  /** Checks that the page does not scroll horizontally. */
  async expectNoSidewaysScroll(): Promise<void> {
    await expectNoSidewaysScroll(this.page, 'the dashboard');
  }
}

import { expect, type Page } from '@playwright/test';
import type { PageTexts } from '../support/pageTexts.ts';
import { pressAndUndo } from '../support/story.ts';

const WINDOW_DAYS = 300;

/** Page object of the wizard, which creates a task in three steps. */
export class Wizard {
  constructor(
    private readonly page: Page,
    private readonly texts: PageTexts,
  ) {}

  private next(key: 'portal.verify' | 'wizard.next' | 'submit.button') {
    return this.page.getByRole('main').getByRole('button', { name: this.texts.text(key), exact: true });
  }

  /** Completes step 1: signs in at the portal, and waits while the overlay is visible. */
  async verify(username: string, password: string): Promise<void> {
    const { page, texts } = this;
    await page.goto('/schedule/wizard');
    await this.next('portal.verify').click();
    await expect(page.getByText(texts.text('portal.complete'))).toBeVisible();
    await page.getByRole('main').getByLabel(texts.text('portal.username'), { exact: true }).fill(username);
    await page.getByRole('main').getByLabel(texts.text('portal.password'), { exact: true }).fill(password);
    await this.next('portal.verify').click();
    await page.waitForURL('**/schedule/wizard?step=2', { timeout: 60_000 });
  }

  /**
   * Completes step 2: an appointment, all cities, a gain of one day, an excluded date. Checks that
   * the draft survives a reload.
   */
  async configure(which: 'first' | 'last', mode: 'rebook' | 'ask' = 'rebook'): Promise<void> {
    const { page, texts } = this;
    const appointments = page.getByRole('region', { name: texts.text('wizard.whichAppointments') });
    const boxes = appointments.getByRole('checkbox');
    await expect(boxes.first()).toBeVisible();
    // A single appointment is already selected.
    if ((await boxes.count()) === 1) {
      await expect(boxes.first()).toBeChecked();
    } else {
      await this.next('wizard.next').click();
      await expect(page.getByText(texts.text('wizard.selectOne')).first()).toBeVisible();
    }
    await (which === 'first' ? boxes.first() : boxes.last()).check();
    const cities = page.getByRole('region', { name: texts.text('editor.where') }).getByRole('button');
    await expect(cities.first()).toBeVisible();
    // The city of the present appointment is already chosen.
    for (const city of await cities.all()) if ((await city.getAttribute('aria-pressed')) === 'false') await city.click();
    await page.getByText(texts.text('editor.more'), { exact: true }).click();
    await page
      .getByRole('group', { name: texts.text('editor.improvement') })
      .getByRole('button', { name: '1', exact: true })
      .click();
    if (mode === 'ask') await page.getByRole('radio', { name: texts.text('editor.ask') }).check();
    await this.widenWindow();
    await this.excludeLastDay();
    await page.reload();
    await expect(cities.first()).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('list', { name: texts.text('editor.excluded') }).getByRole('listitem')).toHaveCount(1);
    await this.next('wizard.next').click();
    await page.waitForURL('**/schedule/wizard?step=3');
  }

  /** Moves the end of the window far ahead, so that it includes the portal's dates. */
  private async widenWindow(): Promise<void> {
    const { page, texts } = this;
    const end = new Date(Date.now() + WINDOW_DAYS * 86_400_000).toISOString().slice(0, 10);
    const region = page.getByRole('region', { name: texts.text('editor.which') });
    await region.getByRole('textbox', { name: texts.text('editor.end'), exact: true }).fill(end);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('sooner.wizard') ?? '')).toContain(end);
  }

  /** Excludes the last date of the window by typing it. */
  private async excludeLastDay(): Promise<void> {
    const { page, texts } = this;
    const end = await page.evaluate(
      () => (JSON.parse(sessionStorage.getItem('sooner.wizard') ?? '{}') as { form: { end: string } }).form.end,
    );
    const region = page.getByRole('region', { name: texts.text('editor.excluded') });
    await region.getByRole('textbox', { name: texts.text('editor.day'), exact: true }).fill(end);
    await region.getByRole('button', { name: texts.text('editor.add'), exact: true }).click();
    await expect(region.getByRole('listitem')).toHaveCount(1);
  }

  /** Completes step 3: checks that consent is required, cancels the countdown once, and submits. */
  async submit(consent: 'confirm.agree' | 'confirm.agreeAsk' = 'confirm.agree'): Promise<void> {
    const { page, texts } = this;
    const button = this.next('submit.button');
    await expect(button).toBeDisabled();
    await page.getByRole('checkbox', { name: texts.text(consent) }).check();
    const undo = page.getByRole('button', { name: texts.text('task.undo'), exact: true });
    await pressAndUndo(
      page,
      () => button.click(),
      () => undo.click(),
    );
    await button.click();
    await page.waitForURL('**/dashboard', { timeout: 30_000 });
  }
}

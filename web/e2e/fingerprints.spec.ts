import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoViolations } from './support/accessible.ts';
import { pressOn, tabTo, typeInto } from './support/keyboard.ts';
import { PageTexts } from './support/pageTexts.ts';
import { type Ready, readReady } from './support/ready.ts';
import type { Scene } from './support/scenes.ts';
import { expect, test } from './support/story.ts';

/** Time until the first poll and the booking. */
const BOOKING_MS = 180_000;

/**
 * Account in the sandbox's scenario `fingerprints`, with two of its country's fingerprint cities
 * in the order of the page.
 */
interface Case extends Scene {
  login: string;
  country: Record<'en' | 'zh', string>;
  cities: [string, string];
}

const cases: Case[] = [
  {
    language: 'en',
    dark: true,
    width: 1280,
    login: 'mx@example.com',
    country: { en: 'Mexico', zh: '墨西哥' },
    cities: ['Ciudad Juarez', 'Guadalajara'],
  },
  {
    language: 'zh',
    dark: false,
    width: 360,
    login: 'br@example.com',
    country: { en: 'Brazil', zh: '巴西' },
    cities: ['巴西利亚', '圣保罗'],
  },
];

/** More presses of Tab than the toasts have buttons. */
const FEW_TABS = 8;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Page object of the conditions for the fingerprint appointment, used with the keyboard alone. */
class FingerprintConditions {
  readonly part: Locator;

  constructor(
    private readonly page: Page,
    private readonly texts: PageTexts,
    within: Locator,
  ) {
    this.part = within.locator('[data-part="fingerprints"]');
  }

  private city(name: string): Locator {
    return this.part.locator('button[aria-pressed]').filter({ hasText: name });
  }

  async days(least: string, most: string): Promise<void> {
    const { page, texts, part } = this;
    await typeInto(page, part.getByLabel(texts.text('fingerprints.least'), { exact: true }), least);
    await typeInto(page, part.getByLabel(texts.text('fingerprints.most'), { exact: true }), most);
  }

  /** Chooses two cities in the order of the page, and moves the second to the first place. */
  async choose([first, second]: [string, string]): Promise<void> {
    const { page, texts, part } = this;
    for (const name of [first, second]) await pressOn(page, this.city(name), 'Space');
    await pressOn(page, part.getByText(texts.text('editor.changeOrder'), { exact: true }));
    await pressOn(page, part.getByRole('button', { name: texts.pattern('editor.cityUp') }).nth(1));
    await expect(this.city(first)).toContainText('2');
    await expect(this.city(second)).toContainText('1');
  }
}

/** Signs in with the keyboard. */
async function signIn(page: Page, texts: PageTexts, { email, password }: Ready): Promise<void> {
  const main = page.getByRole('main');
  await page.goto('/auth/login');
  await typeInto(page, main.getByLabel(texts.text('auth.email'), { exact: true }), email);
  await typeInto(page, main.getByLabel(texts.text('auth.password'), { exact: true }), password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
}

// spec: 10.1.24
for (const { language, dark, width, login, country, cities } of cases)
  test(`fingerprint conditions are set, edited and read by keyboard (${language}, ${width} px)`, async ({ browser }) => {
    // Under load each press of Tab takes longer.
    test.setTimeout(600_000);
    const ready = readReady();
    const texts = new PageTexts(language);
    const context = await browser.newContext({
      baseURL: ready.url,
      viewport: { width, height: 860 },
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const main = page.getByRole('main');
    const button = (key: Parameters<PageTexts['text']>[0], within: Locator = main) =>
      within.getByRole('button', { name: texts.text(key), exact: true });
    const dates = (within: Locator) =>
      within
        .getByRole('region', { name: texts.text('editor.which') })
        .getByRole('textbox', { name: texts.text('editor.end'), exact: true });
    await signIn(page, texts, ready);

    await test.step('sign in at the portal of another country', async () => {
      await page.goto('/schedule/wizard');
      await typeInto(page, main.getByLabel(texts.text('portal.username'), { exact: true }), login);
      await typeInto(page, main.getByLabel(texts.text('portal.password'), { exact: true }), ready.portal_password);
      await pressOn(page, main.locator('#country'));
      await expect(page.getByRole('option').first()).toBeVisible();
      await page.keyboard.type(country[language]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(main.locator('#country')).toContainText(country[language]);
      await pressOn(page, button('portal.verify'));
      await page.waitForURL('**/schedule/wizard?step=2', { timeout: 60_000 });
      await expect(main.getByRole('heading', { level: 1 })).toBeFocused();
    });

    await test.step('set days and cities', async () => {
      await pressOn(page, main.getByRole('checkbox', { name: /^HOLDER/ }), 'Space');
      await typeInto(page, dates(main), inDays(260));
      const cityTile = main.getByRole('region', { name: texts.text('editor.where') }).locator('[aria-pressed="true"]');
      await expect(cityTile, 'the city of the present appointment').toHaveCount(1);
      await pressOn(page, main.locator('summary'));
      const conditions = new FingerprintConditions(page, texts, main);
      await conditions.days('9', '8');
      await expect(conditions.part.getByText(texts.text('fingerprints.mostTooFew'))).toBeVisible();
      await conditions.choose(cities);
      await expectAccessible(page, 'the section', dark, '[data-part="fingerprints"]');
      await page.keyboard.press('Shift+Tab');
      await pressOn(page, button('wizard.next'));
      await expect(conditions.part.getByLabel(texts.text('fingerprints.most'), { exact: true })).toBeFocused();
      await page.keyboard.press('Shift+Tab');
      await conditions.days('1', '10');
      await expectAccessible(page, 'the page with the section', dark);
      await pressOn(page, button('wizard.next'));
      await page.waitForURL('**/schedule/wizard?step=3');
    });

    const rule = (min: string, max: string) => texts.text('fingerprints.between').replace('{{min}}', min).replace('{{max}}', max);
    await test.step('read them in both summaries, and submit', async () => {
      await expect(main.getByText(rule('1', '10'))).toHaveCount(2);
      await expectAccessible(page, 'the summary', dark);
      await pressOn(page, main.getByRole('checkbox', { name: texts.text('confirm.agree') }), 'Space');
      await pressOn(page, button('submit.button'));
      await page.waitForURL('**/dashboard', { timeout: 30_000 });
    });

    const announced = page.locator('[data-toasts]').getByText(texts.pattern('unit.fingerprints'));
    await test.step('the announcement names both appointments', async () => {
      await expect(announced).toBeVisible({ timeout: BOOKING_MS });
      if (width < 600) {
        await expectNoViolations(page, 'the announcement', '[data-toasts]');
        await expect(announced).toHaveCount(0, { timeout: 30_000 });
        return;
      }
      // The toast stays while it has the focus. An earlier one that ends takes the focus away.
      const toast = page
        .locator('[data-toasts]')
        .getByRole('dialog')
        .filter({ hasText: texts.pattern('unit.fingerprints') });
      await expect(async () => {
        await page.keyboard.press('F6');
        await tabTo(page, toast.getByRole('button').last(), FEW_TABS);
      }).toPass({ timeout: 15_000 });
      await expectNoViolations(page, 'the announcement', '[data-toasts]');
      await page.keyboard.press('Enter');
      await expect(announced).toHaveCount(0);
    });

    const card = page.getByRole('article').filter({ hasText: `HOLDER ${login.slice(0, 2).toUpperCase()}` });
    const toggle = card.locator('button[aria-controls]').first();
    await test.step('edit them on the card', async () => {
      if ((await toggle.getAttribute('aria-expanded')) === 'false') await pressOn(page, toggle);
      await expect(card.getByText(rule('1', '10'))).toBeVisible();
      await pressOn(page, button('task.edit', card));
      const dialog = page.getByRole('dialog', { name: texts.text('editor.title') });
      const conditions = new FingerprintConditions(page, texts, dialog);
      await expect(conditions.part).toBeVisible();
      await conditions.days('1', '12');
      await expectNoViolations(page, 'the editor', '[role="dialog"]');
      await pressOn(page, button('editor.save', dialog));
      await expect(dialog).toHaveCount(0);
      await expect(card.getByText(rule('1', '12'))).toBeVisible();
    });

    await test.step('the closed row names both appointments', async () => {
      await pressOn(page, toggle);
      await expect(toggle).toHaveAttribute('aria-expanded', 'false');
      await expect(card.getByText(texts.pattern('unit.fingerprints')).filter({ visible: true })).toHaveCount(1);
      await expectAccessible(page, 'the closed row', dark);
    });
    await context.close();
  });

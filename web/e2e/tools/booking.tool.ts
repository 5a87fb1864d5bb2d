import { type Browser, expect, test } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';
import { PageTexts } from '../support/pageTexts.ts';
import { readReady } from '../support/ready.ts';
import { bare, frame, PICTURE, TILE, tile } from './picture.ts';
import { settle, signInToDemo, speak, unfold } from './tour.ts';
import { apiOf, startWatcher } from './watcher.ts';

const WEEK_DAYS = 7;
const size = { width: PICTURE.width, height: 900 };
const narrow = { width: TILE.width + 2 * TILE.margin, height: 900 };

/** Beginning of the subject of a booking mail. */
const SUBJECT: Record<Language, RegExp> = { zh: /已预约|约到/, en: /booked/i };

/**
 * Takes the pictures of a new booking, a payment and a mail for the gallery. SOONER_FILM selects
 * the language. Each language needs its own demo.
 */
test('booking', async ({ browser }) => {
  const ready = readReady();
  const language: Language = process.env.SOONER_FILM?.startsWith('en') ? 'en' : 'zh';
  const texts = new PageTexts(language);
  const context = await browser.newContext({
    baseURL: ready.url,
    viewport: size,
    deviceScaleFactor: 2,
    locale: 'zh-CN',
    timezoneId: 'America/Toronto',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await signInToDemo(page, ready);
  await speak(page, language);
  // Sets the language of the account, which is the language of its mails.
  await (await apiOf(page))('PUT', '/user/language', { language });
  const task = await startWatcher(page, ready, WEEK_DAYS);
  await page.goto('/dashboard');
  await settle(page);
  const card = page.locator(`#task-${task}`);
  await unfold(card);
  await expect(card.getByText(texts.text('task.history'))).toBeVisible({ timeout: 120_000 });
  await bare(page);
  await frame(page, card, 'booked', language);
  const openBalance = () => page.getByRole('banner').locator('a[href$="#balance"]').click();
  await openBalance();
  await frame(page, page.locator('#balance'), 'balance', language);
  await page.keyboard.press('Escape');
  await page.setViewportSize(narrow);
  await page.waitForTimeout(500);
  await tile(page, card.getByRole('status').first(), 'booked', language, -12);
  await openBalance();
  await tile(page, page.locator('#balance'), 'balance', language);
  await letter(browser, ready.inbox_url, language);
  await context.close();
});

/** Takes a picture of the newest mail about a booking. */
async function letter(browser: Browser, inbox: string, language: Language): Promise<void> {
  const list = `${inbox.replace(/\/(inbox)?\/?$/, '')}/inbox.json`;
  const told = async () => {
    const letters = (await (await fetch(list)).json()) as { html: string | null; subject: string }[];
    return letters.filter((mail) => SUBJECT[language].test(mail.subject)).at(-1)?.html ?? null;
  };
  // Mails are sent some time after the booking.
  await expect.poll(told, { timeout: 60_000 }).not.toBeNull();
  const plain = await browser.newPage({ viewport: PICTURE, deviceScaleFactor: 2 });
  await plain.setContent((await told()) ?? '');
  // Hides the address of this demo.
  await plain.evaluate(() => {
    for (const one of document.querySelectorAll('a,p,div,td,span'))
      if (one.childElementCount === 0 && one.textContent?.includes('127.0.0.1')) one.textContent = '';
  });
  await frame(plain, plain.locator('body'), 'mail', language);
  await plain.setViewportSize(narrow);
  await tile(plain, plain.locator('body'), 'mail', language, 24);
  await plain.close();
}

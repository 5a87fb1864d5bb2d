import { mkdirSync, writeFileSync } from 'node:fs';
import { type Locator, type Page, test } from '@playwright/test';
import type { Language } from '../../src/i18n/language.ts';
import { readReady } from '../support/ready.ts';
import { WordBook } from '../support/words.ts';
import { settle, signInToDemo, speak } from './tour.ts';
import { portalNow, startWatcher } from './watcher.ts';

/** Half of lib/galleryItems.ts's size, at two pixels each. */
const WIDTH = 560;
const HEIGHT = 380;
/** How long the second login watches before pictures are taken; best with SOONER_SPEED=900: days of history in minutes. */
const WATCH_MS = Number(process.env.SOONER_WATCH_MINUTES ?? 8) * 60_000;

async function frame(page: Page, what: Locator, name: string, language: Language): Promise<void> {
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  if (!box) throw new Error(`${name} is not on the page`);
  const scroll = await page.evaluate(() => ({ x: scrollX, y: scrollY }));
  const session = await page.context().newCDPSession(page);
  const clip = { x: box.x + scroll.x - 8, y: box.y + scroll.y - 8, width: WIDTH, height: HEIGHT, scale: 1 };
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 78,
    clip,
    captureBeyondViewport: true,
  });
  await session.detach();
  mkdirSync('public/gallery', { recursive: true });
  writeFileSync(`public/gallery/${name}-${language}.webp`, Buffer.from(data, 'base64'));
}

test('gallery', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({
    baseURL: ready.url,
    timezoneId: 'America/Toronto',
    locale: 'zh-CN',
    // The cards then are as wide as a picture.
    viewport: { width: 592, height: 900 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const booked = await signInToDemo(page, ready);
  for (const language of ['zh', 'en'] satisfies Language[]) {
    await speak(page, language);
    await page.goto('/dashboard');
    await settle(page);
    await frame(page, page.locator(`#task-${booked}`), 'booked', language);
    await frame(page, page.locator('#balance'), 'balance', language);
  }
  const watcher = await startWatcher(page, ready);
  await page.waitForTimeout(WATCH_MS);
  for (const language of ['zh', 'en'] satisfies Language[]) {
    const words = new WordBook(language);
    await page.clock.setFixedTime(await portalNow(ready));
    await speak(page, language);
    await page.goto(`/schedule/${watcher}`);
    await settle(page);
    const part = (key: 'heat.title' | 'chart.title' | 'journal.title' | 'why.title' | 'rail.account') =>
      page.getByRole('region', { name: words.text(key) });
    await frame(page, part('heat.title'), 'seen', language);
    await frame(page, part('chart.title'), 'chart', language);
    await frame(page, part('journal.title'), 'journal', language);
    await frame(page, part('why.title'), 'why', language);
    await frame(page, part('rail.account'), 'account', language);
  }
  const mails = (await (await fetch(`${ready.inbox_url.replace(/\/(inbox)?\/?$/, '')}/inbox.json`)).json()) as {
    html: string | null;
    subject: string;
  }[];
  const letter = mails.find((mail) => mail.html && /约到|Booked/i.test(mail.subject));
  if (!letter?.html) throw new Error('no mail about a booking');
  const plain = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, deviceScaleFactor: 2 });
  await plain.setContent(letter.html);
  for (const language of ['zh', 'en'] satisfies Language[]) await frame(plain, plain.locator('body'), 'mail', language);
  await plain.close();
  await context.close();
});

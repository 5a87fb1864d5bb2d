import { test } from '@playwright/test';
import type { Language } from '../../src/i18n/language.ts';
import { readReady } from '../support/ready.ts';
import { WordBook } from '../support/words.ts';
import { frame, PICTURE } from './picture.ts';
import { settle, signInToDemo, speak } from './tour.ts';
import { portalNow, startWatcher } from './watcher.ts';

/** How long the second login watches before pictures are taken; best with SOONER_SPEED=900: days of history in minutes. */
const WATCH_MS = Number(process.env.SOONER_WATCH_MINUTES ?? 8) * 60_000;

test('gallery', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({
    baseURL: ready.url,
    timezoneId: 'America/Toronto',
    locale: 'zh-CN',
    // The cards then are as wide as a picture.
    viewport: { width: PICTURE.width + 32, height: 900 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await signInToDemo(page, ready);
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
  await context.close();
});

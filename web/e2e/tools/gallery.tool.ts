import { type Locator, type Page, test } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';
import { PageTexts } from '../support/pageTexts.ts';
import { type Ready, readReady } from '../support/ready.ts';
import { bare, frame, PICTURE, TILE, tile } from './picture.ts';
import { settle, signInToDemo, speak } from './tour.ts';
import { portalNow, startWatcher } from './watcher.ts';

/**
 * Time for which the second portal account is polled before the pictures are taken. With
 * SOONER_SPEED=900 this creates days of history in minutes.
 */
const WATCH_MS = Number(process.env.SOONER_WATCH_MINUTES ?? 4) * 60_000;
/** Time after which the picture of the chart is taken, while its steps are still distinct. */
const CHART_MS = 75_000;

/** Title of each card to photograph, and the element at which its tile begins. */
const parts = {
  seen: { title: 'heat.title', from: (region, texts) => region.getByRole('button', { name: texts.text('heat.earlierMonths') }) },
  journal: { title: 'journal.title', from: (region) => region.getByRole('listitem').first() },
  why: { title: 'why.title' },
  account: { title: 'rail.account' },
} as const satisfies Parts;
const chart = {
  chart: {
    title: 'chart.title',
    from: (region, texts) => region.getByRole('group', { name: texts.text('chart.label') }),
    below: 62,
  },
} as const satisfies Parts;

type Parts = Record<
  string,
  { title: 'heat.title' | 'journal.title' | 'why.title' | 'rail.account' | 'chart.title'; from?: Start; below?: number }
>;
type Start = (region: Locator, texts: PageTexts) => Locator;

test('gallery', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({
    baseURL: ready.url,
    timezoneId: 'America/Toronto',
    locale: 'zh-CN',
    viewport: { width: 592, height: 900 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await signInToDemo(page, ready);
  const watcher = await startWatcher(page, ready);
  await page.waitForTimeout(CHART_MS);
  await picture(page, ready, watcher, chart);
  await page.waitForTimeout(WATCH_MS - CHART_MS);
  await picture(page, ready, watcher, parts);
  await context.close();
});

async function picture(page: Page, ready: Ready, watcher: string, wanted: Parts): Promise<void> {
  for (const language of ['zh', 'en'] satisfies Language[]) {
    const texts = new PageTexts(language);
    await page.clock.setFixedTime(await portalNow(ready));
    await speak(page, language);
    for (const width of [PICTURE.width, TILE.width + 2 * TILE.margin]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/schedule/${watcher}`);
      await settle(page);
      await bare(page);
      if ('seen' in wanted) await fullMonth(page, texts);
      for (const [name, { title, from, below }] of Object.entries(wanted)) {
        const region = page.getByRole('region', { name: texts.text(title), exact: true });
        if (width === PICTURE.width) await frame(page, region, name, language);
        else await tile(page, from?.(region, texts) ?? region, name, language, below ?? (from ? -4 : 0));
      }
    }
  }
}

/** Opens the third month of the window, in which many dates were seen. */
async function fullMonth(page: Page, texts: PageTexts): Promise<void> {
  const earlier = page.getByRole('button', { name: texts.text('heat.earlierMonths') }).first();
  for (let n = 0; n < 12 && (await earlier.isEnabled()); n += 1) await earlier.click();
  const later = page.getByRole('button', { name: texts.text('heat.laterMonths') }).first();
  for (let n = 0; n < 2 && (await later.isEnabled()); n += 1) await later.click();
  await page.mouse.move(2, 2);
}

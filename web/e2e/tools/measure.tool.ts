import { type Page, test } from '@playwright/test';
import { PageTexts } from '../support/pageTexts.ts';
import { readReady } from '../support/ready.ts';
import { report } from './numbers.ts';
import { settle, signInToDemo } from './tour.ts';
import { portalNow, startWatcher } from './watcher.ts';

const texts = new PageTexts('zh');
const TORONTO = 94;
const ROUNDS = Number(process.env.SOONER_ROUNDS ?? 20);

/**
 * Records in the page how long each click took until the next paint (Event Timing, in steps of 8
 * ms).
 */
function watchInteractions(): void {
  const kept: { name: string; took: number }[] = [];
  Object.assign(window, { kept });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'click') kept.push({ name: entry.name, took: entry.duration });
  }).observe({ type: 'event', durationThreshold: 0, buffered: true } as PerformanceObserverInit);
}

/** Records when a response that contains the text in `window.awaited` has been painted. */
function watchAnswers(): void {
  const real = window.fetch.bind(window);
  window.fetch = async (...args: Parameters<typeof fetch>) => {
    const response = await real(...args);
    const awaited = Reflect.get(window, 'awaited') as string | undefined;
    if (awaited && response.headers.get('content-type')?.includes('json')) {
      const text = await response.clone().text();
      if (text.includes(awaited))
        requestAnimationFrame(() =>
          requestAnimationFrame(() => Object.assign(window, { painted: performance.timeOrigin + performance.now() })),
        );
    }
    return response;
  };
}

async function clicks(page: Page, press: () => Promise<void>): Promise<number> {
  await page.evaluate(() => (Reflect.get(window, 'kept') as unknown[]).splice(0));
  await press();
  await page.waitForTimeout(120);
  const kept = await page.evaluate(() => Reflect.get(window, 'kept') as { took: number }[]);
  return Math.max(0, ...kept.map((entry) => entry.took));
}

test('measure: how soon the page answers a press', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({ baseURL: ready.url, locale: 'zh-CN', viewport: { width: 360, height: 800 } });
  await context.addInitScript(watchInteractions);
  const page = await context.newPage();
  await signInToDemo(page, ready);
  const card = page.getByRole('article').first();
  const button = (key: Parameters<PageTexts['text']>[0]) =>
    card.getByRole('button', { name: texts.text(key), exact: true }).first();
  const took: Record<'stop' | 'undo' | 'edit' | 'close' | 'hide', number[]> = {
    stop: [],
    undo: [],
    edit: [],
    close: [],
    hide: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    took.stop.push(await clicks(page, () => button('task.pause').click()));
    took.undo.push(await clicks(page, () => button('task.undo').click()));
    took.edit.push(await clicks(page, () => button('task.edit').click()));
    took.close.push(
      await clicks(page, () =>
        page
          .getByRole('button', { name: texts.text('editor.cancel'), exact: true })
          .first()
          .click(),
      ),
    );
    await page.waitForTimeout(400);
    took.hide.push(
      await clicks(page, () =>
        card.getByRole('button', { name: round % 2 ? texts.text('task.show') : texts.text('task.hide'), exact: true }).click(),
      ),
    );
  }
  for (const [name, values] of Object.entries(took)) report(`press ${name} to next paint`, values);
  await context.close();
});

interface JournalEntry {
  seq: number;
  wall_time: string | null;
  kind: string;
  effect: { looked?: { facility: number; days: number; hidden: string | null } };
}

async function looksAfter(sandbox: string, seq: number): Promise<JournalEntry[]> {
  return (await (await fetch(`${sandbox}/control/journal?after=${seq}&kind=days`)).json()) as JournalEntry[];
}

test('measure: from a slot at the portal to the card', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({ baseURL: ready.url, locale: 'zh-CN' });
  await context.addInitScript(watchAnswers);
  const page = await context.newPage();
  await signInToDemo(page, ready);
  // Creates a task that books nothing, so that polling continues.
  await startWatcher(page, ready);
  await page.goto('/dashboard');
  await settle(page);
  const sandbox = ready.sandbox_url.replace(/\/$/, '');
  const fromLook: number[] = [];
  const fromSlot: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A date before the task's window is seen but never booked.
    const date = new Date((await portalNow(ready)).getTime() + (7 - (round % 6)) * 86_400_000).toISOString().slice(0, 10);
    await page.evaluate((next) => Object.assign(window, { awaited: next, painted: undefined }), date);
    const seq = (await looksAfter(sandbox, 0)).at(-1)?.seq ?? 0;
    await fetch(`${sandbox}/control/slots`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ facility: TORONTO, date, time: '10:00' }),
    });
    const added = Date.now();
    await page.waitForFunction(() => Reflect.get(window, 'painted') !== undefined, undefined, { timeout: 600_000 });
    const painted = await page.evaluate(() => Reflect.get(window, 'painted') as number);
    const seen = (await looksAfter(sandbox, seq)).find(
      ({ effect }) => effect.looked?.facility === TORONTO && !effect.looked.hidden,
    );
    // Without the time of a poll nothing was measured, because the date was already in the list.
    if (!seen?.wall_time) continue;
    fromLook.push(painted - Date.parse(seen.wall_time));
    fromSlot.push(painted - added);
  }
  report('the look that saw it to the card', fromLook);
  report(`the slot to the card, planner's pace at speed ${process.env.SOONER_SPEED ?? '1'}`, fromSlot);
  await context.close();
});

for (const count of [20, 100, 500]) {
  test(`measure: scrolling a dashboard that shows ${count} of 500 tasks`, async ({ browser }) => {
    const ready = readReady();
    const context = await browser.newContext({ baseURL: ready.url, locale: 'zh-CN', viewport: { width: 360, height: 800 } });
    const page = await context.newPage();
    await page.route('**/api/v1/schedules?*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { schedules: { id: string }[]; total: number } };
      const first = body.data.schedules[0];
      if (first) body.data.schedules = Array.from({ length: count }, (_, n) => ({ ...first, id: `${n}-${first.id}` }));
      body.data.total = 500;
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto('/auth/login');
    await page.getByRole('main').getByLabel(texts.text('auth.email'), { exact: true }).fill(ready.email);
    await page.getByRole('main').getByLabel(texts.text('auth.password'), { exact: true }).fill(ready.password);
    await page
      .getByRole('main')
      .getByRole('button', { name: texts.text('auth.signInButton'), exact: true })
      .click();
    await page.waitForURL('**/dashboard');
    await settle(page);
    await page
      .getByRole('article')
      .nth(count - 1)
      .waitFor({ state: 'attached', timeout: 60_000 });
    const frames = await page.evaluate(async () => {
      const gaps: number[] = [];
      let last = performance.now();
      for (let n = 0; n < 240; n += 1) {
        await new Promise((done) => requestAnimationFrame(done));
        const now = performance.now();
        gaps.push(now - last);
        last = now;
        window.scrollBy(0, 120);
      }
      return gaps;
    });
    report(`frame while scrolling, ${count} cards`, frames.slice(5));
    console.log(`  frames over 17.5 ms: ${frames.slice(5).filter((gap) => gap > 17.5).length} of ${frames.length - 5}`);
    await context.close();
  });
}

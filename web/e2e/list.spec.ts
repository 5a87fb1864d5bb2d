import AxeBuilder from '@axe-core/playwright';
import { Accounts } from './pages/accounts.ts';
import { expectNoSidewaysScroll } from './support/accessible.ts';
import { textContrast } from './support/contrast.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, pressAndUndo, test } from './support/story.ts';
import { smallTargets } from './support/targets.ts';
import { startMany } from './tools/watcher.ts';

/** Number of tasks besides the demo's first task. */
const MORE = 3;
const TALLEST = { wide: 120, narrow: 170 };

test('several tasks are rows that the user sorts, filters, opens by keyboard and pauses at once', async ({ browser }) => {
  const ready = readReady();
  const whose = { baseURL: ready.url, locale: 'en-CA' };
  const context = await browser.newContext({ ...whose, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const texts = new PageTexts('en');
  const main = page.getByRole('main');
  const cards = main.getByRole('article');
  const ids = () => cards.evaluateAll((all) => all.map((card) => card.id));
  const tallest = () => cards.evaluateAll((all) => Math.max(...all.map((card) => card.getBoundingClientRect().height)));
  const press = (key: Parameters<PageTexts['text']>[0]) =>
    main
      .getByRole('button', { name: texts.text(key), exact: true })
      .first()
      .click();
  const toggle = cards.first().getByRole('button', { name: /^Task details: / });

  await test.step('each task is a row', async () => {
    await page.goto('/auth/login');
    await new Accounts(page, texts).signIn(ready.email, ready.password, '/dashboard');
    await startMany(page, ready, MORE);
    await page.goto('/dashboard');
    await expect(cards).toHaveCount(MORE + 1);
    await expect(cards.getByText(texts.text('task.criteria'))).toHaveCount(0);
    expect(await tallest()).toBeLessThanOrEqual(TALLEST.wide);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([]);
    expect(await textContrast(page, false)).toMatchObject({ faint: [], unlisted: [] });
  });

  await test.step('sorted by appointment, the demo’s own task is first', async () => {
    const newest = await ids();
    await main.getByRole('combobox', { name: texts.text('dashboard.sort') }).click();
    await page.getByRole('option', { name: texts.text('dashboard.sortAppointment') }).click();
    await expect(page).toHaveURL(/sort=appointment/);
    await expect.poll(async () => (await ids())[0]).toBe(newest.at(-1));
  });

  await test.step('a row opens and closes by keyboard, and stays open after a reload', async () => {
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    await expect(cards.first().getByRole('heading', { name: texts.text('task.criteria') })).toBeVisible();
    await page.reload();
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    await toggle.focus();
    await page.keyboard.press('Space');
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  });

  await test.step('all running tasks are paused at once, after a confirmation that can be undone', async () => {
    await press('task.monitoring');
    await expect(page).toHaveURL(/show=running/);
    const running = await cards.count();
    expect(running).toBeGreaterThanOrEqual(MORE);
    const pause = async () => {
      await press('dashboard.pauseAll');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: texts.text('dashboard.pauseYes_other').replace('{{count}}', String(running)) })
        .click();
    };
    await pressAndUndo(page, pause, () => press('task.undo'));
    await expect(cards).toHaveCount(running);
    await pause();
    await expect(main.getByText(texts.text('dashboard.noneRunning'))).toBeVisible();
    await press('task.paused');
    await expect(cards).toHaveCount(running);
  });

  await test.step('on a phone the rows stay low, nothing overflows, and targets are 44 px high', async () => {
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 860 });
      await expectNoSidewaysScroll(page, `the rows at ${width} px`);
    }
    expect(await tallest()).toBeLessThanOrEqual(TALLEST.narrow);
    const phone = await browser.newContext({
      ...whose,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    const touched = await phone.newPage();
    await touched.goto('/auth/login');
    await new Accounts(touched, texts).signIn(ready.email, ready.password, '/dashboard');
    await expect(touched.getByRole('article')).toHaveCount(MORE + 1);
    // Ignores a link within a sentence, which is only as high as its line.
    const inSentence = `${texts.text('nav.settings')}:`;
    expect((await smallTargets(touched)).filter((one) => !one.startsWith(inSentence))).toEqual([]);
    await phone.close();
  });
  await context.close();
});

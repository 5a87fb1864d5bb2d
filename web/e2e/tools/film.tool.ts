import { expect, test } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';
import { PageTexts } from '../support/pageTexts.ts';
import { readReady } from '../support/ready.ts';
import { Camera, formats, type Size } from './camera.ts';
import { settle, signInToDemo, speak } from './tour.ts';

/**
 * SOONER_FILM names the film: zh-wide, zh-phone, en-wide or en-phone. Each film needs its own demo,
 * because the number of portal sign-ins of an account is limited.
 */
test('film', async ({ browser }) => {
  const ready = readReady();
  const [language, size] = (process.env.SOONER_FILM ?? 'zh-wide').split('-') as [Language, Size];
  const texts = new PageTexts(language);
  const { width, height } = formats[size];
  const context = await browser.newContext({
    baseURL: ready.url,
    viewport: { width, height },
    deviceScaleFactor: 2,
    isMobile: size === 'phone',
    locale: 'zh-CN',
    timezoneId: 'America/Toronto',
  });
  const page = await context.newPage();
  await signInToDemo(page, ready);
  await speak(page, language);
  await page.goto('/schedule/wizard');
  await settle(page);
  const camera = new Camera(page, size, language);
  await camera.roll();
  const main = page.getByRole('main');
  const button = (key: Parameters<PageTexts['text']>[0]) => main.getByRole('button', { name: texts.text(key), exact: true });
  const slowly = { delay: 40 };
  camera.note('login', true);
  const login = main.getByLabel(texts.text('portal.username'), { exact: true });
  await camera.press(login);
  await login.pressSequentially(ready.portal_username, slowly);
  const password = main.getByLabel(texts.text('portal.password'), { exact: true });
  await camera.press(password);
  await password.pressSequentially(ready.portal_password, slowly);
  await camera.press(button('portal.verify'));
  camera.note('reading');
  await page.waitForURL('**/schedule/wizard?step=2', { timeout: 60_000 });
  camera.note('criteria', true);
  await page.waitForTimeout(1_200);
  const group = page.getByRole('region', { name: texts.text('wizard.whichAppointments') });
  await camera.press(group.getByRole('checkbox').first());
  const cities = page.getByRole('region', { name: texts.text('editor.where') }).getByRole('button');
  for (let n = 0; n < 3; n += 1) await camera.press(cities.nth(n));
  await camera.press(page.getByText(texts.text('editor.more'), { exact: true }));
  const week = page
    .getByRole('group', { name: texts.text('editor.improvement') })
    .getByRole('button', { name: '7', exact: true });
  await camera.press(week);
  await camera.press(button('wizard.next'));
  await page.waitForURL('**/schedule/wizard?step=3');
  camera.note('confirm');
  await page.waitForTimeout(900);
  await camera.press(page.getByRole('checkbox', { name: texts.text('confirm.agree') }));
  await camera.press(button('submit.button'));
  await page.waitForURL('**/dashboard', { timeout: 30_000 });
  camera.note('looking', true);
  await page.evaluate(() => document.getElementById('film-pointer')?.remove());
  // Moves the mouse away, because a toast stays open while the mouse is over it.
  await page.mouse.move(2, 2);
  // The newest task is first.
  const card = page.getByRole('article').first();
  await expect(card).toBeVisible();
  const top = () => card.evaluate((element) => element.scrollIntoView({ behavior: 'smooth', block: 'start' }));
  await top();
  await expect(card.getByText(texts.text('task.history'))).toBeVisible({ timeout: 120_000 });
  camera.note('booked');
  await camera.look(card.getByRole('status').first());
  // Waits until all toasts have closed by themselves.
  await expect(page.locator('[data-toasts] > *')).toHaveCount(0, { timeout: 20_000 });
  await page.waitForTimeout(800);
  await camera.cut(texts);
  await context.close();
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { Wizard } from '../pages/wizard.ts';
import { PageTexts } from '../support/pageTexts.ts';
import { readReady } from '../support/ready.ts';
import { settle, signInToDemo, speak } from './tour.ts';

interface Look {
  language: 'zh' | 'en';
  width: number;
  dark: boolean;
}

/**
 * Screens stored in docs/screens. SOONER_SCREENS=all creates every combination in another folder,
 * and a list such as zh-768-dark creates the named ones.
 */
const kept: Look[] = [
  { language: 'zh', width: 360, dark: false },
  { language: 'en', width: 1280, dark: false },
  { language: 'zh', width: 1280, dark: true },
];
const all: Look[] = (['zh', 'en'] as const).flatMap((language) =>
  [360, 768, 1280].flatMap((width) => [false, true].map((dark) => ({ language, width, dark }))),
);
const wanted = process.env.SOONER_SCREENS ?? '';
const named = (text: string): Look => {
  const [language, width, scheme] = text.split('-');
  return { language: language === 'en' ? 'en' : 'zh', width: Number(width), dark: scheme === 'dark' };
};
const looks = wanted === 'all' ? all : wanted ? wanted.split(',').map(named) : kept;
const folder = process.env.SOONER_SCREENS_DIR ?? '../docs/screens';

async function shoot(page: Page, name: string, look: Look): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // Makes the viewport as high as the page, so that sticky bars are at their places.
  const height = await page.evaluate(() => Math.min(document.documentElement.scrollHeight, 9_000));
  await page.setViewportSize({ width: look.width, height: Math.max(height, 720) });
  // Waits for elements that load only when visible, such as the chart.
  await page.waitForTimeout(250);
  await expect(page.locator('main [class*="skeleton"], main [class*="shape"]')).toHaveCount(0);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82, captureBeyondViewport: false });
  await session.detach();
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${name}-${look.language}-${look.width}-${look.dark ? 'dark' : 'light'}.webp`;
  writeFileSync(file, Buffer.from(data, 'base64'));
}

async function show(page: Page, look: Look): Promise<void> {
  await page.setViewportSize({ width: look.width, height: 860 });
  await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light', reducedMotion: 'reduce' });
  await speak(page, look.language);
}

async function tour(page: Page, stops: [name: string, path: string][]): Promise<void> {
  for (const look of looks) {
    await show(page, look);
    for (const [name, path] of stops) {
      await page.setViewportSize({ width: look.width, height: 860 });
      await page.goto(path);
      await settle(page);
      await shoot(page, name, look);
    }
  }
}

test('screens', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({ baseURL: ready.url, timezoneId: 'America/Toronto', locale: 'zh-CN' });
  const page = await context.newPage();
  await page.goto('/');
  await tour(page, [
    ['landing', '/'],
    ['faq', '/faq'],
    ['privacy', '/privacy'],
    ['pricing', '/pricing'],
    ['refunds', '/refunds'],
    ['terms', '/terms'],
    ['status', '/status'],
    ['login', '/auth/login'],
    ['register', '/auth/register'],
    ['forgot', '/auth/forgot-password'],
    ['not-found', '/nowhere'],
  ]);
  await speak(page, 'zh');
  const id = await signInToDemo(page, ready);
  await tour(page, [
    ['dashboard', '/dashboard'],
    ['task', `/schedule/${id}`],
    ['receipt', `/schedule/${id}/receipt/1`],
    ['edit', `/schedule/edit/${id}`],
    ['balance', '/balance'],
    ['settings', '/settings'],
    ['test-schedules', '/test-schedules'],
    ['wizard-1', '/schedule/wizard'],
  ]);
  await page.setViewportSize({ width: 1280, height: 860 });
  await speak(page, 'zh');
  const wizard = new Wizard(page, new PageTexts('zh'));
  await wizard.verify(ready.portal_username, ready.portal_password);
  for (const look of looks) {
    await show(page, look);
    await page.goto('/schedule/wizard?step=2');
    await settle(page);
    await shoot(page, 'wizard-2', look);
  }
  await show(page, { language: 'zh', width: 1280, dark: false });
  await page.goto('/schedule/wizard?step=2');
  await wizard.configure('first');
  for (const look of looks) {
    await show(page, look);
    await page.goto('/schedule/wizard?step=3');
    await settle(page);
    await shoot(page, 'wizard-3', look);
  }
  await context.close();
});

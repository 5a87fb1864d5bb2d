import { mkdirSync, writeFileSync } from 'node:fs';
import { type Page, test } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';
import { readReady } from '../support/ready.ts';
import { settle, signInToDemo, speak } from './tour.ts';

const shapes = { narrow: { width: 360, height: 640, scale: 2 }, wide: { width: 1280, height: 800, scale: 1 } } as const;

async function shoot(page: Page, name: string, shape: keyof typeof shapes, language: Language): Promise<void> {
  const { width, height, scale } = shapes[shape];
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60, clip });
  await session.detach();
  mkdirSync('public/install', { recursive: true });
  writeFileSync(`public/install/${name}-${shape}-${language}.webp`, Buffer.from(data, 'base64'));
}

/**
 * Takes the screenshots that browsers show before the app is installed (public/site.webmanifest).
 * Run it again when the screens change.
 */
test('install', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({ baseURL: ready.url, timezoneId: 'America/Toronto', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto('/');
  await speak(page, 'zh');
  const id = await signInToDemo(page, ready);
  for (const language of ['zh', 'en'] satisfies Language[]) {
    await speak(page, language);
    for (const [name, path, shape] of [
      ['dashboard', '/dashboard', 'narrow'],
      ['task', `/schedule/${id}`, 'narrow'],
      ['dashboard', '/dashboard', 'wide'],
    ] as const) {
      await page.setViewportSize({ width: shapes[shape].width, height: shapes[shape].height });
      await page.goto(path);
      await settle(page);
      await shoot(page, name, shape, language);
    }
  }
  await context.close();
});

import { mkdirSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { Language } from '../../src/i18n/language.ts';

/** Half of lib/galleryItems.ts's size, at two pixels each. */
export const PICTURE = { width: 560, height: 380 } as const;
const MARGIN = 8;

/** Takes the upper left part of something as a picture of the gallery. */
export async function frame(page: Page, what: Locator, name: string, language: Language): Promise<void> {
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  if (!box) throw new Error(`${name} is not on the page`);
  const scroll = await page.evaluate(() => ({ x: scrollX, y: scrollY }));
  const session = await page.context().newCDPSession(page);
  const clip = {
    x: box.x + scroll.x - MARGIN,
    y: box.y + scroll.y - MARGIN,
    width: PICTURE.width,
    height: PICTURE.height,
    scale: 1,
  };
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

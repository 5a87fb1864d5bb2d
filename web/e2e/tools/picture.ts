import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';

/** Half of features/site/galleryItems.ts's size, at two pixels each. */
export const PICTURE = { width: 480, height: 540 } as const;
/** What a tile shows: a part that can be read when it is small, taken on a page as narrow as it. */
export const TILE = { width: 296, height: 208, margin: 16 } as const;
const MARGIN = 16;

interface Box {
  x: number;
  y: number;
}

async function shoot(page: Page, from: Box, { width, height }: { width: number; height: number }, file: string): Promise<void> {
  const { left, top } = await page.evaluate(() => ({ left: scrollX, top: scrollY }));
  const folder = mkdtempSync(join(tmpdir(), 'sooner-picture-'));
  const path = join(folder, 'picture.png');
  // In the page's own dots: the protocol's own webp comes in plain ones.
  await page.screenshot({ path, fullPage: true, clip: { x: from.x + left, y: from.y + top, width, height } });
  mkdirSync('public/gallery', { recursive: true });
  execFileSync('ffmpeg', ['-y', '-loglevel', 'error', '-i', path, '-quality', '80', `public/gallery/${file}.webp`]);
  rmSync(folder, { recursive: true, force: true });
}

async function place(what: Locator, name: string): Promise<Box> {
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  if (!box) throw new Error(`${name} is not on the page`);
  return box;
}

/** Takes away what lies over the page: the header, messages, bars at the foot. By hand, as the page's policy allows no styles of others. */
export async function bare(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.scrollbarWidth = 'none';
    for (const header of document.querySelectorAll('header')) header.style.position = 'static';
    for (const over of document.querySelectorAll<HTMLElement>('nav, [aria-live], [role="region"], #film-pointer'))
      if (!over.closest('header, main')) over.style.display = 'none';
  });
}

/** Takes the upper part of something, on a page as wide as the picture, for the gallery. */
export async function frame(page: Page, what: Locator, name: string, language: Language): Promise<void> {
  const box = await place(what, name);
  await shoot(page, { x: 0, y: box.y - MARGIN }, PICTURE, `${name}-${language}`);
}

/** Takes the part of something that its tile shows; `below` pixels under its top. */
export async function tile(page: Page, what: Locator, name: string, language: Language, below = 0): Promise<void> {
  const box = await place(what, name);
  await shoot(page, { x: TILE.margin, y: box.y + below }, TILE, `${name}-${language}-tile`);
}

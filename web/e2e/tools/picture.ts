import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';

/** Half of features/site/galleryItems.ts's size, at two pixels each. */
export const PICTURE = { width: 480, height: 540 } as const;
/** Size of a tile: a part that is readable when small, taken on an equally narrow page. */
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
  // Uses device pixels, because the protocol's own webp has CSS pixels.
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

/**
 * Removes covering elements: the header, toasts, bottom bars. It uses scripts, because the page's
 * policy allows no foreign styles.
 */
export async function bare(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.scrollbarWidth = 'none';
    for (const header of document.querySelectorAll('header')) header.style.position = 'static';
    for (const over of document.querySelectorAll<HTMLElement>('nav, [aria-live], [role="region"], #film-pointer'))
      if (!over.closest('header, main')) over.style.display = 'none';
  });
}

/** Captures the upper part of an element for the gallery, on a page as wide as the picture. */
export async function frame(page: Page, what: Locator, name: string, language: Language): Promise<void> {
  const box = await place(what, name);
  await shoot(page, { x: 0, y: box.y - MARGIN }, PICTURE, `${name}-${language}`);
}

/** Captures the part of an element for its tile, `below` pixels under its top. */
export async function tile(page: Page, what: Locator, name: string, language: Language, below = 0): Promise<void> {
  const box = await place(what, name);
  await shoot(page, { x: TILE.margin, y: box.y + below }, TILE, `${name}-${language}-tile`);
}

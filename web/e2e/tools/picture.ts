import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Language } from '../../src/shared/i18n/language.ts';

/** Size of a whole picture in CSS pixels, half of GALLERY_SIZE in features/site/galleryItems.ts. */
export const PICTURE = { width: 480, height: 540 } as const;
/**
 * Size of a tile in CSS pixels. It is captured from a narrow page, so that its text is readable
 * when small.
 */
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
  // Takes a screenshot with device pixels, because the browser's own webp screenshots have CSS
  // pixels.
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
 * Removes elements that cover others: the header, toasts, bottom bars. It uses scripts, because the
 * content security policy forbids additional styles.
 */
export async function bare(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.scrollbarWidth = 'none';
    for (const header of document.querySelectorAll('header')) header.style.position = 'static';
    for (const over of document.querySelectorAll<HTMLElement>('nav, [aria-live], [role="region"], #film-pointer'))
      if (!over.closest('header, main')) over.style.display = 'none';
  });
}

/**
 * Captures the upper part of an element for the gallery. The page must be as wide as the picture.
 */
export async function frame(page: Page, what: Locator, name: string, language: Language): Promise<void> {
  const box = await place(what, name);
  await shoot(page, { x: 0, y: box.y - MARGIN }, PICTURE, `${name}-${language}`);
}

/** Captures the part of an element for its tile, starting `below` pixels under its top. */
export async function tile(page: Page, what: Locator, name: string, language: Language, below = 0): Promise<void> {
  const box = await place(what, name);
  await shoot(page, { x: TILE.margin, y: box.y + below }, TILE, `${name}-${language}-tile`);
}

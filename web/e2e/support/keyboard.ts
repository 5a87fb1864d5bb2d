import type { Locator, Page } from '@playwright/test';
import { expect } from './story.ts';

/** Maximum number of Tab presses, more than any page needs. */
const MOST_TABS = 140;
/** Longest time until the wanted element exists. */
const FOUND_MS = 15_000;

/**
 * Returns why the focused element is hidden, or null if it is visible. The whole content, which the
 * skip link focuses, is not checked.
 */
const hiddenFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body || element.tagName === 'MAIN') return null;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    // Elements that exist only for the keyboard have no area.
    if (right - left < 2 || bottom - top < 2) return null;
    const name = `${element.tagName} ${element.textContent?.trim().slice(0, 40) || element.getAttribute('aria-label')}`;
    const shows = (x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (element.contains(hit) || hit.contains(element) || hit.closest('label')?.control === element);
    };
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    if (y < 0 || y > window.innerHeight || x < 0 || x > window.innerWidth) return `${name} is outside of the window`;
    return shows(x, y) ? null : `${name} is under ${document.elementFromPoint(x, y)?.outerHTML.slice(0, 120)}`;
  });

/** Checks that the focused element is visible and not under a bar or a toast. */
export async function expectFocusVisible(page: Page): Promise<void> {
  // Retries, because scrolling to the element may be animated.
  await expect(async () => expect(await hiddenFocus(page)).toBeNull()).toPass({ timeout: 3_000 });
}

/**
 * Presses Tab until `wanted` has the focus, at most `most` times. Every focused element on the way
 * must be visible.
 */
export async function tabTo(page: Page, wanted: Locator, most = MOST_TABS): Promise<void> {
  for (let pressed = 0; pressed < most; pressed += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement, undefined, { timeout: FOUND_MS })) return;
    await page.keyboard.press('Tab');
    await expectFocusVisible(page);
  }
  throw new Error(`${most} presses of Tab do not reach ${wanted}`);
}

/** Moves the focus to an element with Tab and presses a key, by default Enter. */
export async function pressOn(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

/** Moves the focus to a field with Tab and replaces its text. */
export async function typeInto(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { textContrast } from './contrast.ts';
import { expect } from './story.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Checks that the present content of the page is accessible and does not scroll horizontally.
 * `within` is a selector that limits the check, for example to a dialog.
 */
export async function expectAccessible(page: Page, what: string, dark: boolean, within?: string): Promise<void> {
  await expectNoViolations(page, what, within);
  const { faint, unlisted } = await textContrast(page, dark);
  expect(faint, `${what} has text that is too faint`).toEqual([]);
  expect(unlisted, `${what} has colours that theme/contrast.ts does not list`).toEqual([]);
  await expectNoSidewaysScroll(page, what);
}

/**
 * Checks the page or a part of it with axe. Use it alone for the content of a scrolling dialog,
 * because colours behind text that is scrolled out are not known.
 */
export async function expectNoViolations(page: Page, what: string, within?: string): Promise<void> {
  const axe = new AxeBuilder({ page }).withTags(tags);
  const { violations } = await (within ? axe.include(within) : axe).analyze();
  const problems = violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} — ${node.failureSummary}`),
  );
  expect(problems, what).toEqual([]);
}

/** Checks that the page does not scroll horizontally. */
export async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(sideways, `${what} scrolls sideways`).toBe(0);
}

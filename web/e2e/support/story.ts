import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';

/** Violations that no story may have: of the page's policy, or an uncaught error. */
interface Watch {
  /** Expects errors in a story, by a part of their text. */
  expectError: (part: string) => void;
}

const BINDING = '__tellViolation';

/** Runs first in every document of a context, including frames. */
function listenForViolations(binding: string): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
    const where = `${location.pathname}: ${sourceFile ?? ''}:${lineNumber}`;
    (Reflect.get(window, binding) as (text: string) => void)(
      `${effectiveDirective} refused ${blockedURI} on ${where} ${sample}`.trim(),
    );
  });
}

async function watch(context: BrowserContext, problems: string[]): Promise<void> {
  context.on('weberror', (problem) => {
    const error = problem.error();
    problems.push(`uncaught on ${problem.page()?.url() ?? 'a page'}: ${error.stack ?? error.message}`);
  });
  await context.exposeBinding(BINDING, (_, text: string) => void problems.push(text));
  await context.addInitScript(listenForViolations, BINDING);
}

/**
 * The `test` of every story. It fails at its end if a page in any context broke its content
 * security policy or left an error uncaught.
 */
export const test = base.extend<{ watched: Watch }>({
  watched: [
    async ({ browser }, use) => {
      const problems: string[] = [];
      const expected: string[] = [];
      const begin = browser.newContext;
      browser.newContext = async (options) => {
        const context = await begin.call(browser, options);
        await watch(context, problems);
        return context;
      };
      await use({ expectError: (part) => void expected.push(part) });
      browser.newContext = begin;
      const bad = problems.filter((text) => !expected.some((part) => text.includes(part)));
      expect(bad, 'what pages did that no page may').toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until a page shows its title, and no part of it is loading or without its code. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  await expect(page.locator('astro-island[client="load"][ssr]')).toHaveCount(0);
}

/**
 * Presses a button with a countdown, and undoes it. The countdown takes 20 minutes this time,
 * because on a busy machine the second press is slow too.
 */
export async function pressAndUndo(page: Page, press: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    const { random } = Math;
    Object.assign(window, { giveChanceBack: () => Object.assign(Math, { random }) });
    Math.random = () => 600;
  });
  await press();
  await undo();
  await page.evaluate(() => void Reflect.get(window, 'giveChanceBack')());
}

export { expect };

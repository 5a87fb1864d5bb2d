import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';

/** Collects violations of the content security policy and uncaught errors. */
interface Watch {
  /** Permits errors whose message contains `part`. */
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
 * `test` with a fixture that every test uses. It fails if a page violated its content security
 * policy or had an uncaught error.
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

/** Waits until a page shows its heading and contains no loading element. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  await expect(page.locator('astro-island[client="load"][ssr]')).toHaveCount(0);
}

/**
 * Presses a button with a countdown, and cancels the countdown. It makes the countdown very long,
 * because the second press may be late on a slow machine.
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

import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';

/** What a page must never do, whatever the story: break the policy it was sent with, or leave an error uncaught. */
interface Watch {
  /** Errors that a story means to have: told by a part of their text. */
  expectError: (part: string) => void;
}

const BINDING = '__tellViolation';

/** Runs in every document of a context, frames too, before anything else does. */
function listenForViolations(binding: string): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
    const where = `${location.pathname}: ${sourceFile ?? ''}:${lineNumber}`;
    (Reflect.get(window, binding) as (text: string) => void)(
      `${effectiveDirective} refused ${blockedURI} on ${where} ${sample}`.trim(),
    );
  });
}

async function watch(context: BrowserContext, told: string[]): Promise<void> {
  context.on('weberror', (problem) => {
    const error = problem.error();
    told.push(`uncaught on ${problem.page()?.url() ?? 'a page'}: ${error.stack ?? error.message}`);
  });
  await context.exposeBinding(BINDING, (_, text: string) => void told.push(text));
  await context.addInitScript(listenForViolations, BINDING);
}

/**
 * The `test` of every story: it fails, at its end, where a page in any context of it broke its content security policy or left an error
 * uncaught.
 */
export const test = base.extend<{ watched: Watch }>({
  watched: [
    async ({ browser }, use) => {
      const told: string[] = [];
      const expected: string[] = [];
      const begin = browser.newContext;
      browser.newContext = async (options) => {
        const context = await begin.call(browser, options);
        await watch(context, told);
        return context;
      };
      await use({ expectError: (part) => void expected.push(part) });
      browser.newContext = begin;
      const bad = told.filter((text) => !expected.some((part) => text.includes(part)));
      expect(bad, 'what pages did that no page may').toEqual([]);
    },
    { auto: true },
  ],
});

/** Presses what counts down, and undoes it. The countdown takes 20 minutes this once: on a busy machine the second press takes its time too. */
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

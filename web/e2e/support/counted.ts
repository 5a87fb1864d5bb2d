import type { Locator } from '@playwright/test';

/** Performs the actions of a user on a page and counts them: taps and filled fields. */
export class Counted {
  taps = 0;
  fields = 0;

  async tap(target: Locator): Promise<void> {
    this.taps += 1;
    await target.click();
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.fields += 1;
    await target.fill(text);
  }
}

import type { Locator } from '@playwright/test';

/** Performs a user's actions and counts them: presses and filled fields. */
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

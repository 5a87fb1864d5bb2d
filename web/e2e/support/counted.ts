import type { Locator } from '@playwright/test';

/** Does what a person does, and counts it: presses, and fields that are filled in. */
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

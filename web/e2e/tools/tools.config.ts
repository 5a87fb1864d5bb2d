import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

/** Pictures and measurements. `scripts/e2e.sh --tool NAME` runs them, never `make test`. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.tool.ts',
  timeout: 1_200_000,
  reporter: [['list']],
  // Recording takes browser time that would be measured with the page.
  use: { ...base.use, trace: 'off', screenshot: 'off' },
  outputDir: '../../test-results/tools',
});

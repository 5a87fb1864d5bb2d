import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

/** Pictures and measures: run by scripts/screens.sh and scripts/measure-web.sh, never by `make test`. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.tool.ts',
  timeout: 1_200_000,
  reporter: [['list']],
  // Recording takes the browser's time, and would be measured with the page.
  use: { ...base.use, trace: 'off', screenshot: 'off' },
  outputDir: '../../test-results/tools',
});

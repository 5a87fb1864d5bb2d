import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

/**
 * Configuration of the tools for pictures and measurements. `scripts/e2e.sh --tool NAME` runs them,
 * but `make test` does not.
 */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.tool.ts',
  timeout: 1_200_000,
  reporter: [['list']],
  // Recording traces would slow down the measured page.
  use: { ...base.use, trace: 'off', screenshot: 'off' },
  outputDir: '../../test-results/tools',
});

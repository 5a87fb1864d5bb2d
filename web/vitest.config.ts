import { defineConfig, mergeConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import viteConfig from './vite.config.ts';

const test = {
  retry: process.env.CI ? 1 : 0,
  setupFiles: ['src/testSetup.ts'],
  restoreMocks: true,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/**
 * Reports the tests that passed only at the second attempt (ADR 97). scripts/test.sh prints the
 * list at its end.
 */
const flaky: Reporter = {
  onTestCaseResult(tried) {
    if (tried.diagnostic()?.flaky) console.log(`FLAKY ${tried.module.relativeModuleId} ${tried.fullName}`);
  },
};

/** Tests that replace parts of the window, which works only with jsdom's own window. */
const alone = [
  'src/app/documents/touch.test.ts',
  'src/features/auth/pages.test.tsx',
  'src/parts/account/GoogleButton.test.tsx',
  'src/shared/api/{events,handOver}.test.ts',
  'src/shared/i18n/languageStorage.test.ts',
  'src/shared/pwa/offlinePage.test.ts',
];

export default defineConfig((env) =>
  mergeConfig(viteConfig(env), {
    test: {
      ...test,
      // Uses all cores. By default one of two would be idle.
      maxWorkers: '100%',
      reporters: ['default', flaky],
      // Creating a window takes longer than testing most functions. Only component tests have one,
      // and tests marked with `@vitest-environment jsdom`. Each file has its own window and
      // modules, in a context of one process instead of a process of its own.
      pool: 'vmThreads',
      projects: [
        { extends: true, test: { name: 'functions', include: ['{src,mock}/**/*.test.ts'], exclude: alone, environment: 'node' } },
        { extends: true, test: { name: 'components', include: ['src/**/*.test.tsx'], exclude: alone, environment: 'jsdom' } },
        { extends: true, test: { name: 'alone', include: alone, environment: 'jsdom', pool: 'forks' } },
      ],
    },
  }),
);

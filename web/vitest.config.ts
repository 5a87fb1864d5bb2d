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

/** Tells which test passed at its second try only (ADR 97); scripts/test.sh repeats it at its end. */
const flaky: Reporter = {
  onTestCaseResult(tried) {
    if (tried.diagnostic()?.flaky) console.log(`FLAKY ${tried.module.relativeModuleId} ${tried.fullName}`);
  },
};

/** Tests that put something in place of a part of the window which only a window of jsdom's own making gives up. */
const alone = [
  'src/app/documents/touch.test.ts',
  'src/features/auth/pages.test.tsx',
  'src/parts/account/GoogleButton.test.tsx',
  'src/shared/api/{events,handOver}.test.ts',
  'src/shared/i18n/remember.test.ts',
  'src/shared/pwa/offlinePage.test.ts',
];

export default defineConfig((env) =>
  mergeConfig(viteConfig(env), {
    test: {
      ...test,
      // All cores: one of two stood idle.
      maxWorkers: '100%',
      reporters: ['default', flaky],
      // A window takes longer to make than most functions to test: only components have one, and what asks for one by
      // `@vitest-environment jsdom`. Each file has its own, and its own modules, in a context of one process instead of a process.
      pool: 'vmThreads',
      projects: [
        { extends: true, test: { name: 'functions', include: ['{src,mock}/**/*.test.ts'], exclude: alone, environment: 'node' } },
        { extends: true, test: { name: 'components', include: ['src/**/*.test.tsx'], exclude: alone, environment: 'jsdom' } },
        { extends: true, test: { name: 'alone', include: alone, environment: 'jsdom', pool: 'forks' } },
      ],
    },
  }),
);

import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

const FILES = ['src/**/*.test.{ts,tsx}', 'mock/**/*.test.ts'];
const test = {
  environment: 'jsdom',
  setupFiles: ['src/testSetup.ts'],
  restoreMocks: true,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig((env) =>
  mergeConfig(viteConfig(env), {
    test: {
      ...test,
      include: FILES,
      // All cores: one of two stood idle.
      maxWorkers: '100%',
    },
  }),
);

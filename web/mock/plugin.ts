import type { Plugin } from 'vite';

/** Serves the fake backend under /api in `--mode mock`. */
export function mockBackend(): Plugin {
  return { name: 'sooner-mock-backend' };
}

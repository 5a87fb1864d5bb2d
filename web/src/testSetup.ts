import { afterEach, vi } from 'vitest';

// What is pure is tested without a window (vitest.config.ts), and needs none of what clears one.
if (typeof window !== 'undefined') await import('./testSetupWindow.ts');

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

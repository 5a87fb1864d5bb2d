import { afterEach, vi } from 'vitest';

// Tests of pure functions run without a window (vitest.config.ts), so they need no cleanup of one.
if (typeof window !== 'undefined') await import('./testSetupWindow.ts');

// Removes BroadcastChannel. Test files are threads of one process, and Node sends channel messages
// to all of them, so a sign-out in one test would affect the others. Tests of several tabs create
// their own channels.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

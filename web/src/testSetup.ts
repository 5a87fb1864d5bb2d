import { afterEach, vi } from 'vitest';

// Pure code is tested without a window (vitest.config.ts), and needs no cleanup of one.
if (typeof window !== 'undefined') await import('./testSetupWindow.ts');

// Test files are threads of one process, and Node sends channel messages to all of them. A file
// that signs out would sign out the others. Tests about tabs create their own channels.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

import { afterEach, vi } from 'vitest';

// What is pure is tested without a window (vitest.config.ts), and needs none of what clears one.
if (typeof window !== 'undefined') await import('./testSetupWindow.ts');

// Test files are threads of one process, and Node carries what one says on a channel to all others: a file that signs out
// would sign out the rest. A test that is about tabs brings its own channels.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, it, vi } from 'vitest';

it('importing the session module has no effects: no channel, listener, timer, request or stored text', async () => {
  const channel = vi.fn(function (this: object) {
    Object.assign(this, { addEventListener: vi.fn(), removeEventListener: vi.fn(), postMessage: vi.fn() });
  });
  const fetched = vi.fn();
  vi.stubGlobal('BroadcastChannel', channel);
  vi.stubGlobal('fetch', fetched);
  const listeners = [window, document].map((target) => vi.spyOn(target, 'addEventListener'));
  const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
  const stored = vi.spyOn(Storage.prototype, 'setItem');
  const read = vi.spyOn(Storage.prototype, 'getItem');
  vi.resetModules();
  const { startSession } = await import('./session.ts');
  const before = [channel, fetched, stored, read, ...listeners, ...timers].map((spy) => spy.mock.calls.length);
  expect(before).toEqual(before.map(() => 0));
  await startSession();
  expect(channel).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

it('the session module imports no React, router or texts, and of all packages only the API client', () => {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8').replace(/import type [^;]*;/g, '');
    for (const [, from = ''] of code.matchAll(/(?:from|import\()\s*'([^']+)'/g))
      if (from.startsWith('.')) visit(resolve(dirname(file), from));
      else packages.add(from);
  };
  visit(resolve(import.meta.dirname, 'session.ts'));
  expect([...packages]).toEqual(['openapi-fetch']);
  expect([...seen].filter((file) => /shared\/(i18n|routing|ui|hooks)\//.test(file))).toEqual([]);
});

// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { reloadForNewBuild } from './newBuild.ts';

const ENTRY = 'https://sooner.example.com/assets/index-old.js';

afterEach(() => vi.unstubAllGlobals());

function server(answer: () => Response) {
  const asked = vi.fn(async () => answer());
  vi.stubGlobal('fetch', asked);
  return asked;
}

// spec: 10.14.04
it('reloads a page of an old build once', async () => {
  const reload = vi.fn();
  server(() => new Response(null, { status: 404 }));
  expect(await reloadForNewBuild(ENTRY, reload)).toBe(true);
  expect(await reloadForNewBuild(ENTRY, reload), 'the same build again').toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(await reloadForNewBuild(ENTRY.replace('old', 'next'), reload), 'another build').toBe(true);
});

it('reloads the page once if several components fail to load at the same time', async () => {
  const reload = vi.fn();
  server(() => new Response(null, { status: 404 }));
  expect(await Promise.all([reloadForNewBuild(ENTRY, reload), reloadForNewBuild(ENTRY, reload)])).toEqual([true, true]);
  expect(reload).toHaveBeenCalledTimes(1);
});

// spec: 10.14.04
it('keeps the page while its build exists, or without a network', async () => {
  const reload = vi.fn();
  for (const answer of [
    () => new Response(null, { status: 200 }),
    () => new Response(null, { status: 503 }),
    () => {
      throw new TypeError('Failed to fetch');
    },
  ]) {
    server(answer);
    expect(await reloadForNewBuild(ENTRY, reload)).toBe(false);
  }
  expect(await reloadForNewBuild(null, reload)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

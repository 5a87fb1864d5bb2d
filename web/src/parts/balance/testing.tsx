import { QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { type Code, fail } from '../../../mock/api.ts';
import { Frame } from '../../../mock/Frame.tsx';
import { moneyOf } from '../../../mock/money.ts';
import { answerCalls, answerFrom } from '../../../mock/wire.ts';
import { createWorld, seed, type World } from '../../../mock/world.ts';
import { queryClient } from '../../shared/api/queries.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

// Long timeouts for slow machines. Tests continue as soon as the result appears.
configure({ asyncUtilTimeout: 30_000 });
vi.setConfig({ testTimeout: 40_000 });

/** Returns a text in the page's language. */
export const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;

/** Request that the page sent. */
export interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  key: string | null;
}

/**
 * Response that replaces the fake backend's response. `network` means that there is no response.
 */
export type Instead = { status: number; code: string; message?: string; retryAfter?: number } | 'network' | Promise<unknown>;

/**
 * Replaces `fetch` by a fake backend. `instead` overrides the responses of paths, and `sent`
 * records every request.
 */
export function backend(email = 'lin@example.com') {
  const world: World = createWorld();
  seed(world, email);
  const money = moneyOf(world);
  const sent: Sent[] = [];
  const instead = new Map<string, Instead>();
  answerCalls(async (call) => {
    const { method, path, query, body, headers } = call;
    sent.push({ method, path, query, body, key: headers.get('Idempotency-Key') });
    const other = instead.get(`${method} ${path}`) ?? instead.get(path);
    if (other === 'network') return 'no network';
    if (other instanceof Promise) await other;
    else if (other) {
      const { status, code, message = code, retryAfter } = other;
      return { ...fail(status, code as Code, message), headers: retryAfter ? { 'Retry-After': String(retryAfter) } : undefined };
    }
    return answerFrom(world, call);
  });
  const calls = (path: string) => sent.filter((call) => call.path === path);
  return { world, money, sent, instead, calls };
}

/** Renders an element at an address, like the app. */
export function show(element: ReactNode, at = '/') {
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [at] });
  const view = render(
    <Frame>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Frame>,
  );
  return { ...view, router };
}

import { QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { queryClient } from '../src/shared/api/queries.ts';
import { Toaster } from '../src/shared/ui/Toast.tsx';
import { Frame } from './Frame.tsx';
import { answerCalls, answerFrom } from './wire.ts';
import { createWorld, seed } from './world.ts';

// Rendering whole pages in jsdom is slow. The timeouts are long, but limit a test that waits in
// vain.
configure({ asyncUtilTimeout: 30_000 });
vi.setConfig({ testTimeout: 60_000 });

/** Records and controls of the fake backend, for component tests. */
export interface Wire {
  /** Sent requests in order, as `METHOD /path?query`. */
  sent: string[];
  /** Bodies of the sent requests, by `METHOD /path`. */
  bodies: Map<string, unknown>;
  /** Requests that begin with one of these texts fail without a response. */
  broken: Set<string>;
}

/** Replaces `fetch` with the fake backend. The mail address chooses the scene. */
export function fakeBackend(email = 'lin@example.com') {
  const world = createWorld();
  seed(world, email);
  const wire: Wire = { sent: [], bodies: new Map(), broken: new Set() };
  answerCalls((call) => {
    wire.sent.push(call.line);
    if (call.headers.has('Content-Type')) wire.bodies.set(`${call.method} ${call.path}`, call.body);
    if ([...wire.broken].some((text) => call.line.startsWith(text))) return 'no network';
    return answerFrom(world, call);
  });
  return { world, ...wire };
}

/** Renders `element` at `path` with all context providers of a page. */
export function renderAt(element: ReactNode, path = '/dashboard') {
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  const view = render(
    <Frame>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster />
      </QueryClientProvider>
    </Frame>,
  );
  return { router, ...view };
}

import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { acceptLogin, endSession } from '../shared/api/session.ts';
import type { LoginAnswer } from '../shared/api/types.ts';
import { Members, membersOnly } from './guards.tsx';
import { leaveApp } from './leaveApp.ts';

vi.mock('./leaveApp.ts', () => ({ leaveApp: vi.fn(() => new Promise(() => undefined)) }));

const user = { id: 'u1', username: 'lin@example.com', email: 'lin@example.com' };
const signIn = (person = user) => acceptLogin({ access_token: 'a', refresh_token: 'r', user: person } as LoginAnswer, true);
const loader = vi.fn(() => null);

const page = { path: '/settings', loader, element: <h1>Settings</h1> };

function open() {
  const router = createMemoryRouter([{ middleware: [membersOnly], Component: Members, children: [page] }], {
    initialEntries: ['/settings?a=1'],
  });
  return render(<RouterProvider router={router} />);
}

beforeEach(() => {
  vi.mocked(leaveApp).mockClear();
  loader.mockClear();
});

afterEach(() => {
  cleanup();
  endSession();
  localStorage.clear();
});

// spec: 2.1.13
it('redirects a guest to the sign-in and back, before the page requests or renders anything', async () => {
  open();
  await vi.waitFor(() => expect(leaveApp).toHaveBeenCalledExactlyOnceWith('/auth/login?next=%2Fsettings%3Fa%3D1'));
  expect(loader).not.toHaveBeenCalled();
  expect(screen.queryByRole('heading')).toBeNull();
});

it('admits a signed-in user, and removes the page when the session ends', async () => {
  signIn();
  open();
  expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy();
  expect(leaveApp).not.toHaveBeenCalled();
  act(() => endSession());
  // The page may render for a moment before the guard detects that the session has ended.
  await vi.waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
});

it('mounts the page again for another user', async () => {
  signIn();
  open();
  const before = await screen.findByRole('heading', { name: 'Settings' });
  act(() => signIn({ ...user, id: 'u2' }));
  await vi.waitFor(() => expect(screen.getByRole('heading', { name: 'Settings' })).not.toBe(before));
});

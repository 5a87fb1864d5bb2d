import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Toaster } from './Toast.tsx';
import { toastManager } from './toastManager.ts';
import { toast } from './toasts.ts';
import { UiTextsProvider } from './UiTexts.tsx';
import en from './words/en.json';

afterEach(() => {
  toastManager.close();
  cleanup();
  vi.useRealTimers();
});

const show = () =>
  render(
    <UiTextsProvider language="en" texts={en}>
      <Toaster />
    </UiTextsProvider>,
  );

// spec: 2.9.06, 9.30
it('disappears by itself after 6 s', async () => {
  vi.useFakeTimers();
  show();
  toast('saved');
  await act(() => vi.advanceTimersByTimeAsync(5_900));
  expect(screen.getByText('saved')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.queryByText('saved')).toBeNull();
});

it('ends a toast by its name', async () => {
  show();
  toast('on hold', { name: 'hold' });
  toast('other');
  expect(await screen.findByText('on hold')).toBeTruthy();
  toast.end('hold');
  await waitFor(() => expect(screen.queryByText('on hold')).toBeNull());
  expect(screen.getByText('other')).toBeTruthy();
});

it('offers an action', async () => {
  const undo = vi.fn();
  show();
  toast.success('Deleted', { action: { label: 'Undo', onClick: undo } });
  expect(await screen.findByRole('dialog', { name: 'Deleted' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Undo', hidden: true }));
  expect(undo).toHaveBeenCalledTimes(1);
});

// spec: 10.17.80
it('sends the focus back after F6, but a later toast does not send it there again', async () => {
  render(<button type="button">before</button>);
  show();
  const guards = () => document.querySelectorAll('[data-base-ui-focus-guard]');
  screen.getByText('before').focus();
  toast('first');
  await screen.findByText('first');
  fireEvent.keyDown(window, { key: 'F6' });
  await waitFor(() => expect(document.activeElement?.hasAttribute('data-toasts')).toBe(true));
  expect(guards().length).toBeGreaterThan(0);
  fireEvent.click(screen.getByRole('button', { name: en.close, hidden: true }));
  await waitFor(() => expect(screen.queryByText('first')).toBeNull());
  toast('second');
  await screen.findByText('second');
  expect(guards()).toHaveLength(0);
});

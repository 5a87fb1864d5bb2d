import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Dialog } from './Dialog.tsx';
import { Toaster } from './Toast.tsx';
import { toastManager } from './toastManager.ts';
import { toastTop } from './toastPosition.ts';
import { toast } from './toasts.ts';
import { UiTextsProvider } from './UiTexts.tsx';
import en from './words/en.json';

afterEach(() => {
  toastManager.close();
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const phone = { width: 360, height: 780, toasts: 56, header: 57, foot: 76, dialog: null, focus: null };

it('places toasts below the header of a phone, also below a demo ribbon, and at the top if the header is out of sight', () => {
  expect(toastTop(phone)).toBe(65);
  expect(toastTop({ ...phone, header: 87 })).toBe(95);
  expect(toastTop({ ...phone, header: -20 })).toBe(8);
});

it('places toasts at the bottom of a wider window', () => {
  expect(toastTop({ ...phone, width: 640 })).toBeNull();
});

// spec: 10.17.02
it('places toasts at the other end of the window if they would cover the focused control', () => {
  const high = { top: 100, bottom: 148 };
  const low = { top: 640, bottom: 688 };
  expect(toastTop({ ...phone, focus: low })).toBe(65);
  expect(toastTop({ ...phone, focus: high })).toBe(780 - 76 - 16 - 56);
  const wide = { ...phone, width: 1280 };
  expect(toastTop({ ...wide, focus: high })).toBeNull();
  expect(toastTop({ ...wide, focus: low })).toBe(65);
  expect(toastTop({ ...wide, focus: { top: 60, bottom: 700 } }), 'covered at both ends').toBeNull();
});

it('places toasts above an open dialog if there is room, and otherwise below its header', () => {
  for (const width of [360, 1280]) {
    expect(toastTop({ ...phone, width, dialog: { top: 200, head: 255 } })).toBe(8);
    expect(toastTop({ ...phone, width, dialog: { top: 0, head: 55 } })).toBe(63);
    expect(toastTop({ ...phone, width, dialog: { top: 60, head: 115 } })).toBe(123);
  }
});

const page = (open: boolean) => (
  <UiTextsProvider language="en" texts={en}>
    <header />
    <Dialog open={open} onClose={() => undefined} title="Edit">
      text
    </Dialog>
    <Toaster />
  </UiTextsProvider>
);

it('moves toasts when a dialog opens and closes', async () => {
  vi.stubGlobal('innerWidth', 360);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    if (this.hasAttribute('data-dialog')) return new DOMRect(0, 0, 360, 780);
    return new DOMRect(0, 0, 360, this.tagName === 'HEADER' ? 57 : 60);
  });
  const { rerender } = render(page(false));
  toast('saved');
  await screen.findByText('saved');
  const viewport = document.querySelector<HTMLElement>('[data-toasts]');
  expect(viewport?.style.top).toContain('65px');
  rerender(page(true));
  await waitFor(() => expect(viewport?.style.top).toContain('68px'));
  rerender(page(false));
  await waitFor(() => expect(viewport?.style.top).toContain('65px'));
});

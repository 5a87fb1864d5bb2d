import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { lazyComponent } from './lazyComponent.tsx';
import { restartPage } from './restartPage.ts';

const ENTRY = 'https://sooner.example.com/assets/index-now.js';

const load = vi.fn();
const Menu = lazyComponent<object>(load);

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
        open
      </button>
      {open && <Menu onMissing={() => setOpen(false)} />}
    </>
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  document.body.replaceChildren();
});

it('keeps the rest of the page when code fails to load, and retries at the next press', async () => {
  load.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(() => <p>the menu</p>);
  render(<Page />);
  const button = screen.getByRole('button', { name: 'open' });
  await act(async () => fireEvent.click(button));
  expect(screen.getByRole('button', { name: 'open' })).toBe(button);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  expect(await screen.findByText('the menu')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});

it('retries when the network is back, for components that need no press', async () => {
  const come = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch'));
  come.mockResolvedValue(() => <p>signed in</p>);
  const Member = lazyComponent<object>(come);
  render(<Member />);
  await act(async () => undefined);
  fireEvent(window, new Event('online'));
  expect(await screen.findByText('signed in')).toBeDefined();
});

it('restarts the page for code that keeps failing, unless a field contains text or the server is unreachable', async () => {
  const reload = vi.fn();
  const asked = vi.fn(async () => new Response(null, { status: 200 }));
  vi.stubGlobal('fetch', asked);
  const field = document.body.appendChild(document.createElement('input'));
  field.value = 'h';
  expect(await restartPage(ENTRY, reload)).toBe(false);
  field.value = '';
  asked.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await restartPage(ENTRY, reload)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  asked.mockResolvedValue(new Response(null, { status: 200 }));
  expect(await restartPage(ENTRY, reload)).toBe(true);
  expect(await restartPage(ENTRY, reload), 'not twice in a minute').toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
});

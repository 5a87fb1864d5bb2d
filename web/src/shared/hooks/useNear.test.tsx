import { act, cleanup, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useNear } from './useNear.ts';

function Box() {
  const box = useRef<HTMLParagraphElement>(null);
  return <p ref={box}>{useNear(box) ? 'drawn' : 'waiting'}</p>;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('waits until the element is near the window, and then stays', () => {
  let tell: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  const disconnect = vi.fn();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: typeof tell) {
        tell = callback;
      }
      observe() {}
      disconnect = disconnect;
    },
  );
  render(<Box />);
  expect(screen.getByText('waiting')).toBeTruthy();
  act(() => tell([{ isIntersecting: false }]));
  expect(screen.getByText('waiting')).toBeTruthy();
  act(() => tell([{ isIntersecting: true }]));
  expect(screen.getByText('drawn')).toBeTruthy();
  expect(disconnect).toHaveBeenCalled();
});

it('does not wait where nobody can tell', () => {
  vi.stubGlobal('IntersectionObserver', undefined);
  render(<Box />);
  expect(screen.getByText('drawn')).toBeTruthy();
});

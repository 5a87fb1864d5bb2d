import { cleanup, render, screen } from '@testing-library/react';
import { StrictMode, useEffect } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** Simulates the kind of navigation that opened the document. */
async function opened(type: NavigationTimingType, hash = '') {
  vi.resetModules();
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
  window.location.hash = hash;
  return (await import('./Later.tsx')).Later;
}

const seen: string[] = [];
/** Component that records the page's content when it first renders. */
function Part({ name }: { name: string }) {
  useEffect(() => void seen.push(`${name}: ${document.body.textContent}`), [name]);
  return name;
}

beforeEach(() => {
  window.location.hash = '';
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('omits the rest of a page while the page opens, but not its first part', async () => {
  const Later = await opened('navigate');
  expect(renderToString(<Later>rest</Later>)).not.toContain('rest');
  expect(renderToString(<Later isFirst>first</Later>)).toBe('first');
});

it('renders the rest without an action of the user', async () => {
  const Later = await opened('navigate');
  render(
    <StrictMode>
      <Later>rest</Later>
    </StrictMode>,
  );
  expect(await screen.findByText('rest')).toBeTruthy();
});

it('renders parts one after another, in page order, and skips an unmounted one', async () => {
  const Later = await opened('navigate');
  const page = (names: string[]) =>
    names.map((name) => (
      <Later key={name}>
        <Part name={name} />
      </Later>
    ));
  const { rerender } = render(page(['a', 'b', 'c', 'd']));
  rerender(page(['a', 'c', 'd']));
  expect(await screen.findByText(/d/)).toBeTruthy();
  expect(seen).toEqual(['a: a', 'c: ac', 'd: acd']);
});

it('omits nothing on later pages', async () => {
  const Later = await opened('navigate');
  render(<Later>rest</Later>);
  expect(renderToString(<Later>next</Later>)).toBe('next');
});

it.each([
  ['reload', ''],
  ['back_forward', ''],
  ['navigate', '#two-step'],
] as const)('omits nothing if the page may open at a lower position (%s %s)', async (type, hash) => {
  const Later = await opened(type, hash);
  expect(renderToString(<Later>rest</Later>)).toBe('rest');
});

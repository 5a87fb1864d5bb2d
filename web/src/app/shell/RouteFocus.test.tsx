import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { RouteFocus } from './RouteFocus.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Shell = () => (
  <>
    <main id="main" tabIndex={-1}>
      <Outlet />
    </main>
    <RouteFocus />
  </>
);

function Page({ name }: { name: string }) {
  useEffect(() => {
    document.title = `${name} · Sooner`;
  }, [name]);
  return <h1>{name}</h1>;
}

function Late() {
  const [here, setHere] = useState(false);
  return (
    <>
      <a href="/dashboard">back</a>
      {here ? (
        <Page name="Lin Zhixia" />
      ) : (
        <button type="button" onClick={() => setHere(true)}>
          loading
        </button>
      )}
    </>
  );
}

function Settings() {
  const [here, setHere] = useState(false);
  return (
    <>
      <Page name="Settings" />
      <button type="button" onClick={() => setHere(true)}>
        later
      </button>
      {here && <section id="export">Export</section>}
    </>
  );
}

function open(at: string) {
  const children = [
    { path: '/dashboard', element: <Page name="Dashboard" /> },
    { path: '/schedule/wizard', element: <Page name="New task" /> },
    { path: '/schedule/:id', element: <Late /> },
    { path: '/settings', element: <Settings /> },
  ];
  const router = createMemoryRouter([{ Component: Shell, children }], { initialEntries: [at] });
  const { container } = render(<RouterProvider router={router} />);
  const spoken = () => container.querySelector('[aria-live]')?.textContent;
  return { spoken, go: (to: string) => act(() => router.navigate(to)) };
}

// spec: 10.17.01
it('moves the focus to the heading of the next page and announces its title', async () => {
  const { spoken, go } = open('/dashboard');
  expect(document.activeElement).toBe(document.body);
  expect(spoken()).toBe('');
  await go('/schedule/wizard');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'New task' }));
  expect(spoken()).toBe('New task · Sooner');
});

// spec: 10.17.01
it('also does so for a step of one page, but not for other changes of the address', async () => {
  const { go } = open('/schedule/wizard?step=1');
  await go('/schedule/wizard?step=2');
  const heading = screen.getByRole('heading');
  expect(document.activeElement).toBe(heading);
  const focus = vi.spyOn(heading, 'focus');
  await go('/schedule/wizard?step=2&expired=1');
  expect(focus).not.toHaveBeenCalled();
});

it('focuses the content while the heading is loading, and the heading once it is there', async () => {
  const { spoken, go } = open('/dashboard');
  await go('/schedule/t1');
  expect(document.activeElement).toBe(screen.getByRole('main'));
  fireEvent.click(screen.getByText('loading'));
  const heading = screen.getByRole('heading', { name: 'Lin Zhixia' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  await waitFor(() => expect(spoken()).toBe('Lin Zhixia · Sooner'));
});

it('does not move the focus if the user moved it while the heading was loading', async () => {
  const { go } = open('/dashboard');
  await go('/schedule/t1');
  const link = screen.getByRole('link');
  link.focus();
  fireEvent.click(screen.getByText('loading'));
  await act(() => Promise.resolve());
  expect(document.activeElement).toBe(link);
});

it('focuses the element in the fragment of the address, even if it loads later', async () => {
  const { go } = open('/dashboard');
  await go('/settings#export');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Settings' }));
  fireEvent.click(screen.getByText('later'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Export')));
});

it('announces a title only after it has changed', async () => {
  const { spoken, go } = open('/dashboard');
  await go('/schedule/t1');
  expect(spoken(), 'still the title of the page before').toBe('');
  fireEvent.click(screen.getByText('loading'));
  await waitFor(() => expect(spoken()).toBe('Lin Zhixia · Sooner'));
});

it('announces a page with an unchanged title after a second', async () => {
  vi.useFakeTimers();
  const { spoken, go } = open('/dashboard');
  await go('/schedule/t1');
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(spoken()).toBe('Dashboard · Sooner');
});

// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../shared/api/queries.ts';
import { type AppPage, type AppPageName, appPages } from './pages.ts';
import { prefetch } from './prefetch.ts';

const pages = (Object.entries(appPages) as [AppPageName, AppPage][]).filter(([, page]) => page.first);

beforeEach(() => queryClient.clear());
afterEach(() => vi.unstubAllGlobals());

it.each(pages)('the document of %s sends exactly the requests early that the page sends first', async (name, { first = [] }) => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname.replace('/api/v1', '') + search);
    return Promise.reject(new TypeError('Failed to fetch'));
  });
  prefetch[name]?.({ params: { id: 'ID' }, search: new URLSearchParams() });
  await vi.waitFor(() => expect(asked).toEqual(expect.arrayContaining(first.map((path) => path.replace(':id', 'ID')))));
});

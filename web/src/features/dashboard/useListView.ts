import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { LIST_FILTERS, LIST_ORDERS, type ListFilter, type ListOrder, type ListView } from '../../shared/api/taskList.ts';

const KEY = 'sooner.dashboard.view';

const orderOf = (text: string | null): ListOrder => LIST_ORDERS.find((order) => order === text) ?? 'submitted';

const filterOf = (text: string | null): ListFilter => LIST_FILTERS.find((filter) => filter === text) ?? 'all';

function pageOf(text: string | null): number {
  const page = Number(text);
  return Number.isInteger(page) && page > 0 ? page : 1;
}

function stored(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/**
 * Returns page, kind and order of the list. The address names them; without that, this tab's last
 * view applies.
 */
export function viewAt(search: URLSearchParams): ListView {
  const source = ['page', 'show', 'sort'].some((text) => search.has(text)) ? search : new URLSearchParams(stored());
  return { filter: filterOf(source.get('show')), order: orderOf(source.get('sort')), page: pageOf(source.get('page')) };
}

/** Returns the view of the list, and a function that changes it. */
export function useListView(): [ListView, (view: ListView) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: ListView) => {
      const texts = new URLSearchParams({ show: next.filter, page: String(next.page) });
      if (next.order !== 'submitted') texts.set('sort', next.order);
      try {
        sessionStorage.setItem(KEY, texts.toString());
      } catch {
        // Without storage only the address knows.
      }
      setSearch(texts, { preventScrollReset: true });
    },
    [setSearch],
  );
  return [viewAt(search), change];
}

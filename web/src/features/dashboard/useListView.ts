import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { LIST_FILTERS, LIST_ORDERS, type ListFilter, type ListOrder, type ListView } from '../../shared/api/taskList.ts';

const KEY = 'sooner.dashboard.view';

const orderOf = (word: string | null): ListOrder => LIST_ORDERS.find((order) => order === word) ?? 'submitted';

const filterOf = (word: string | null): ListFilter => LIST_FILTERS.find((filter) => filter === word) ?? 'all';

function pageOf(word: string | null): number {
  const page = Number(word);
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
  const told = ['page', 'show', 'sort'].some((word) => search.has(word)) ? search : new URLSearchParams(stored());
  return { filter: filterOf(told.get('show')), order: orderOf(told.get('sort')), page: pageOf(told.get('page')) };
}

/** Returns the view of the list, and a function that changes it. */
export function useListView(): [ListView, (view: ListView) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: ListView) => {
      const words = new URLSearchParams({ show: next.filter, page: String(next.page) });
      if (next.order !== 'submitted') words.set('sort', next.order);
      try {
        sessionStorage.setItem(KEY, words.toString());
      } catch {
        // Without storage only the address knows.
      }
      setSearch(words, { preventScrollReset: true });
    },
    [setSearch],
  );
  return [viewAt(search), change];
}

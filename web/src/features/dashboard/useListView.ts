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

/** Which page of which tasks in which order: the address says it; without a word there, it is what one last looked at in this tab. */
export function viewAt(search: URLSearchParams): ListView {
  const told = ['page', 'show', 'sort'].some((word) => search.has(word)) ? search : new URLSearchParams(stored());
  return { filter: filterOf(told.get('show')), order: orderOf(told.get('sort')), page: pageOf(told.get('page')) };
}

/** The same, and the way to change it. */
export function useListView(): [ListView, (view: ListView) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: ListView) => {
      const words = new URLSearchParams({ show: next.filter, page: String(next.page) });
      if (next.order !== 'submitted') words.set('sort', next.order);
      try {
        sessionStorage.setItem(KEY, words.toString());
      } catch {
        // Then the address alone knows.
      }
      setSearch(words, { preventScrollReset: true });
    },
    [setSearch],
  );
  return [viewAt(search), change];
}

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
 * Returns the page, the filter and the order in the address. Without them it returns the last view
 * of this tab.
 */
export function viewAt(search: URLSearchParams): ListView {
  const source = ['page', 'show', 'sort'].some((text) => search.has(text)) ? search : new URLSearchParams(stored());
  return { filter: filterOf(source.get('show')), order: orderOf(source.get('sort')), page: pageOf(source.get('page')) };
}

/** Returns the view of the task list, and a function that changes it. */
export function useListView(): [ListView, (view: ListView) => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (next: ListView) => {
      const texts = new URLSearchParams({ show: next.filter, page: String(next.page) });
      if (next.order !== 'submitted') texts.set('sort', next.order);
      try {
        sessionStorage.setItem(KEY, texts.toString());
      } catch {
        // Storage is blocked. The view is only in the address.
      }
      setSearch(texts, { preventScrollReset: true });
    },
    [setSearch],
  );
  return [viewAt(search), change];
}

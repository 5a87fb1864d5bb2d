import { expect, it, vi } from 'vitest';
import { createStore } from './createStore.ts';

it('notifies subscribers of each change, and only of changes', () => {
  const store = createStore({ id: 1 }, (a, b) => a.id === b.id);
  const told = vi.fn();
  const stop = store.subscribe(told);
  store.set({ id: 1 });
  expect(told).not.toHaveBeenCalled();
  store.set({ id: 2 });
  expect(told).toHaveBeenCalledOnce();
  expect(store.get()).toEqual({ id: 2 });
  stop();
  store.set({ id: 3 });
  expect(told).toHaveBeenCalledOnce();
});

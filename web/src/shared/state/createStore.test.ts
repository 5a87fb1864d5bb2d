import { expect, it, vi } from 'vitest';
import { createStore } from './createStore.ts';

it('notifies subscribers of each change, and not if the value stays the same', () => {
  const store = createStore({ id: 1 }, (a, b) => a.id === b.id);
  const subscriber = vi.fn();
  const stop = store.subscribe(subscriber);
  store.set({ id: 1 });
  expect(subscriber).not.toHaveBeenCalled();
  store.set({ id: 2 });
  expect(subscriber).toHaveBeenCalledOnce();
  expect(store.get()).toEqual({ id: 2 });
  stop();
  store.set({ id: 3 });
  expect(subscriber).toHaveBeenCalledOnce();
});

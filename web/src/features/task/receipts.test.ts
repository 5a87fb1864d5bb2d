import { expect, it } from 'vitest';
import { doneTask, task } from '../../../mock/story.ts';
import { receipts } from './receipts.ts';

// spec: 10.9.12
it('numbers the bookings of a task from its first, which is the charged one', () => {
  expect(receipts(doneTask).map((one) => [one.n, one.number, one.charged])).toEqual([
    [1, 'S-58190022-1', 38],
    [2, 'S-58190022-2', 0],
  ]);
  expect(receipts(task({ id: 't' }))).toEqual([]);
});

it('assigns a later charge to its booking, and no charge if nothing was charged', () => {
  const [late] = doneTask.success_history;
  const after = {
    ...doneTask,
    price: { ...doneTask.price, captured_at: new Date(Date.parse(late?.timestamp ?? '') + 60_000).toISOString() },
  };
  expect(receipts(after).map((one) => one.charged)).toEqual([0, 38]);
  const free = { ...doneTask, price: { ...doneTask.price, captured: 0, captured_at: null } };
  expect(receipts(free).map((one) => one.charged)).toEqual([0, 0]);
});

import { expect, it } from 'vitest';
import { task } from '../../../mock/story.ts';
import { holdText } from './taskView.ts';

it.each([
  [false, 'task.held'],
  [true, 'task.heldNotify'],
])('states when money on hold is charged: with *keep the present appointment* %s, it is %s', (keeps, text) => {
  const one = task({ id: 'a', status: 'active' });
  one.schedule_config.keep_current_appointment = keeps;
  one.price = { ...one.price, on_hold: 38, captured: 0 };
  expect(holdText(one)).toBe(text);
});

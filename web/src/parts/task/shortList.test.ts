import { expect, it } from 'vitest';
import { shortList } from './shortList.ts';

// spec: 2.7.27, 9.29
it('cuts a list at 45 characters and counts the rest', () => {
  expect(shortList(['12-24 to 01-03', '02-05 to 02-08', '02-17'], ', ')).toEqual({
    text: '12-24 to 01-03, 02-05 to 02-08, 02-17',
    more: 0,
  });
  expect(shortList(['12-24 to 01-03', '02-05 to 02-08', '02-17', '02-20', '03-01'], ', ')).toEqual({
    text: '12-24 to 01-03, 02-05 to 02-08, 02-17, 02-20',
    more: 1,
  });
  expect(shortList([], ', ')).toEqual({ text: '', more: 0 });
});

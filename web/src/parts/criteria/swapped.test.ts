import { expect, it } from 'vitest';
import { swapped } from './swapped.ts';

it('swaps two items of a list, and leaves it unchanged if one is missing', () => {
  const cities = ['Toronto', 'Ottawa', 'Montreal'];
  expect(swapped(cities, 2, 1)).toEqual(['Toronto', 'Montreal', 'Ottawa']);
  expect(swapped(cities, 0, 1)).toEqual(['Ottawa', 'Toronto', 'Montreal']);
  expect(swapped(cities, 0, -1)).toEqual(cities);
  expect(swapped(cities, 2, 3)).toEqual(cities);
  expect(cities).toEqual(['Toronto', 'Ottawa', 'Montreal']);
});

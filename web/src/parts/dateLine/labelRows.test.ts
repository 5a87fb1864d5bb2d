import { describe, expect, it } from 'vitest';
import { labelStretch, placeLabels, textWidthPx } from './labelRows.ts';

const phonePx = 270;
const present = { key: 'present', left: 100, text: 'Booked 2027-08-17', rows: ['above'] as const };
const today = { key: 'today', left: 0, text: 'Today', rows: ['above', 'below', 'low'] as const };
const window = { key: 'window', left: 40, text: 'Your window, 107 days', rows: ['above', 'below', 'low'] as const };
const place = (labels: (typeof present | typeof today | typeof window)[]) =>
  placeLabels(
    labels.map((label) => ({ ...label, rows: [...label.rows] })),
    phonePx,
  );

describe('the labels of the date line', () => {
  it('share one row if there is space', () => {
    expect(place([present, today])).toEqual({ present: 'above', today: 'above' });
  });

  it('use another row if they would overlap', () => {
    expect(place([present, today, window])).toEqual({ present: 'above', today: 'above', window: 'below' });
    expect(place([{ ...present, left: 4 }, today, { ...window, left: 10 }])).toEqual({
      present: 'above',
      today: 'below',
      window: 'low',
    });
  });

  it('never extend beyond the line', () => {
    expect(labelStretch(present, phonePx).to).toBeCloseTo(phonePx);
    expect(labelStretch(today, phonePx).from).toBe(0);
  });

  it('measure Chinese characters as square', () => {
    expect(textWidthPx('现约')).toBe(24);
  });
});

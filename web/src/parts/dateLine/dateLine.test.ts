import { describe, expect, it } from 'vitest';
import { layoutDateLine } from './dateLine.ts';

describe('the date line', () => {
  const facts = { today: '2026-11-24', present: '2027-08-17', window: { start: '2026-12-15', end: '2027-03-31' } };

  // spec: 3.35
  it('places today at the left end and the present appointment at the right', () => {
    const line = layoutDateLine(facts);
    expect(line.at('2026-11-24')).toBe(0);
    expect(line.at('2027-08-17')).toBe(100);
    expect(line.at('2026-12-15')).toBeCloseTo(7.89, 1);
    expect(line.span(facts.window)?.width).toBeCloseTo(40.2, 1);
  });

  it('ends at the end of the window if there is no appointment', () => {
    expect(layoutDateLine({ ...facts, present: null }).end).toBe('2027-03-31');
  });

  it('ends at the latest of several appointments', () => {
    const line = layoutDateLine({ today: '2026-11-24', present: '2027-08-03', others: ['2027-09-23'] });
    expect(line.end).toBe('2027-09-23');
  });

  it('sums the days gained by all bookings', () => {
    expect(
      layoutDateLine({ today: '2026-11-24', present: '2026-12-11', earlierDates: ['2027-05-19', '2027-02-09'] }).gainedDays,
    ).toBe(159);
    expect(layoutDateLine(facts).gainedDays).toBeNull();
  });

  it('positions nothing outside of the line, and never divides by zero', () => {
    const line = layoutDateLine({ today: '2026-11-24' });
    expect(line.at('2020-01-01')).toBe(0);
    expect(line.at('2099-01-01')).toBe(100);
  });

  it('labels fewer months on a long line', () => {
    expect(layoutDateLine({ today: '2026-11-24', present: '2029-11-24' }).months.length).toBeLessThanOrEqual(10);
  });
});

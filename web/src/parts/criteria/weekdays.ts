/** All weekdays by their numbers in the API, Monday first. */
export const EVERY_WEEKDAY = [1, 2, 3, 4, 5, 6, 7];

/** Returns the weekdays with `day` added or removed. An empty list means every day. */
export function withWeekday(weekdays: number[], day: number): number[] {
  const chosen = weekdays.length === 0 ? EVERY_WEEKDAY : weekdays;
  const next = chosen.includes(day) ? chosen.filter((other) => other !== day) : [...chosen, day].sort();
  return next.length === EVERY_WEEKDAY.length ? [] : next;
}

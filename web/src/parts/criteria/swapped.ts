/** Returns a list with two items swapped, or an equal list if one of them is missing. */
export function swapped<T>(list: readonly T[], one: number, other: number): T[] {
  const next = [...list];
  const [a, b] = [list[one], list[other]];
  if (a === undefined || b === undefined) return next;
  next[one] = b;
  next[other] = a;
  return next;
}

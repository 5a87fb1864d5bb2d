/** Joins the class names that apply: the strings among `names`, without those of conditions that do not hold. */
export function classes(...names: unknown[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}

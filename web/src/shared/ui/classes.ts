/** Joins the class names that apply: the strings among `names`. */
export function classes(...names: unknown[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}

/** Joins class names. Values that are not strings are ignored, which permits conditions. */
export function classes(...names: unknown[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}

/**
 * Returns the values that the user typed, or that the browser filled in, before the page's code
 * loaded. Returns `fallback` if the document contained no such form.
 */
export function readTyped<F extends Record<string, string | boolean>>(fallback: F): F {
  if (typeof document === 'undefined') return fallback;
  const typed = Object.entries(fallback).map(([name, value]) => {
    const input = document.querySelector<HTMLInputElement>(`form input[name="${name}"]`);
    if (!input) return [name, value];
    return [name, typeof value === 'boolean' ? input.checked : input.value || value];
  });
  return Object.fromEntries(typed) as F;
}

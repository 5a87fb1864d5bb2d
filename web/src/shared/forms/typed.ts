/**
 * Returns the values in a form that was in the document before the page's code: users type, and
 * browsers autofill, before the code loads. Returns `fallback` if there is no such field, as in a
 * form that the code renders.
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

/**
 * What stands in the fields of a form that was in the document before the page's code: people type, and browsers fill in, before it is
 * there. `fallback` where no such field is, as in a form that the code draws itself.
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

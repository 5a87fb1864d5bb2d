const SETTLED_MS = 100;

/**
 * Focuses the section if the pressed button is removed, so that the keyboard does not restart at
 * the top.
 */
export function catchFocus(id: string): void {
  setTimeout(() => {
    const { activeElement, body } = document;
    if (activeElement === body || activeElement === null) document.getElementById(id)?.focus({ preventScroll: true });
  }, SETTLED_MS);
}

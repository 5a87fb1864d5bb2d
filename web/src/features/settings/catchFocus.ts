const SETTLED_MS = 100;

/**
 * Moves the focus to the section if the pressed button was removed. Otherwise keyboard users would
 * restart at the top of the page.
 */
export function catchFocus(id: string): void {
  setTimeout(() => {
    const { activeElement, body } = document;
    if (activeElement === body || activeElement === null) document.getElementById(id)?.focus({ preventScroll: true });
  }, SETTLED_MS);
}

const SETTLED_MS = 100;

/** Where the button one pressed is gone after the deed, its section takes the focus, so that nobody starts over at the top. */
export function catchFocus(id: string): void {
  setTimeout(() => {
    const { activeElement, body } = document;
    if (activeElement === body || activeElement === null) document.getElementById(id)?.focus({ preventScroll: true });
  }, SETTLED_MS);
}

/**
 * Storage key: this browser has loaded Inter, so its documents start with it
 * (app/documents/shell.js, firstAuth.js).
 */
const KEY = 'sooner.letters';
/** Delay after the first render until the page has everything it needs. */
const REST_MS = 500;

async function come(): Promise<void> {
  const faces = await document.fonts.load('1em "Inter Variable ZH"');
  if (faces.length === 0) return;
  document.documentElement.dataset.letters = '';
  localStorage.setItem(KEY, '1');
}

/**
 * Loads Inter and then uses it. Its file is larger than the code of most pages, and would delay a
 * new visitor on a slow connection.
 */
export function fetchLetters(): void {
  if (document.documentElement.dataset.letters !== undefined || !document.fonts) return;
  setTimeout(() => void come().catch(() => undefined), REST_MS);
}

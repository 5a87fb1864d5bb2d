/**
 * Storage key that records that this browser has loaded Inter. Documents then use it from their
 * start (app/documents/shell.js, firstAuth.js).
 */
const KEY = 'sooner.letters';
/** Delay after the first render, so that files that the page needs load first. */
const REST_MS = 500;

async function come(): Promise<void> {
  const faces = await document.fonts.load('1em "Inter Variable ZH"');
  if (faces.length === 0) return;
  document.documentElement.dataset.letters = '';
  localStorage.setItem(KEY, '1');
}

/**
 * Loads the font Inter and applies it to the page. Its file is larger than the code of most pages,
 * so it loads last.
 */
export function fetchLetters(): void {
  if (document.documentElement.dataset.letters !== undefined || !document.fonts) return;
  setTimeout(() => void come().catch(() => undefined), REST_MS);
}

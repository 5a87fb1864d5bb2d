/** Says that Inter has come to this browser: its documents begin with it (app/documents/shell.js, firstAuth.js). */
const KEY = 'sooner.letters';
/** So long after a page is drawn it has what it needs. */
const REST_MS = 500;

async function come(): Promise<void> {
  const faces = await document.fonts.load('1em "Inter Variable ZH"');
  if (faces.length === 0) return;
  document.documentElement.dataset.letters = '';
  localStorage.setItem(KEY, '1');
}

/** Writes in Inter once it is here. Its file is larger than the code of most pages: on a slow line it would keep a new visitor waiting. */
export function fetchLetters(): void {
  if (document.documentElement.dataset.letters !== undefined || !document.fonts) return;
  setTimeout(() => void come().catch(() => undefined), REST_MS);
}

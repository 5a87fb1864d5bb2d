import { entryOf, reloadForNewBuild } from './newBuild.ts';

/** When this page was last begun again for a part that did not come. */
const BEGUN_AGAIN = 'sooner.begunAgain';
const PAUSE_MS = 60_000;

/** Whether some field holds text, which must not be lost. */
const somethingTyped = () =>
  [...document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox],[type=radio]),textarea')].some(
    ({ value }) => value !== '',
  );

/**
 * What can be done when a part of the page fails again and again: browsers before autumn 2026 keep a failed `import()` for as long
 * as the page lives (whatwg/html#6768), so the page is loaded anew once the server answers; not where something is typed, and at
 * most once a minute. Answers whether it is.
 */
export async function beginAgain(entry = entryOf(document), reload = () => window.location.reload()): Promise<boolean> {
  if (await reloadForNewBuild(entry, reload)) return true;
  if (!entry || somethingTyped()) return false;
  try {
    if (Date.now() - Number(sessionStorage.getItem(BEGUN_AGAIN)) < PAUSE_MS) return false;
    const { ok } = await fetch(entry, { method: 'HEAD', cache: 'no-store' });
    if (!ok || somethingTyped()) return false;
    sessionStorage.setItem(BEGUN_AGAIN, String(Date.now()));
  } catch {
    return false;
  }
  reload();
  return true;
}

import { entryOf, reloadForNewBuild } from './newBuild.ts';

/** Storage key of the time at which the page was last restarted because code failed to load. */
const RESTARTED_KEY = 'sooner.begunAgain';
const PAUSE_MS = 60_000;

/** Returns whether a field contains text, which a restart would lose. */
const hasTypedText = () =>
  [...document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox],[type=radio]),textarea')].some(
    ({ value }) => value !== '',
  );

/**
 * Reloads the page after code failed to load repeatedly. Browsers before autumn 2026 never retry a
 * failed `import()` on the same page (whatwg/html#6768). It reloads only if the server answers and
 * no field contains text, at most once a minute. Returns whether the page reloads.
 */
export async function restartPage(entry = entryOf(document), reload = () => window.location.reload()): Promise<boolean> {
  if (await reloadForNewBuild(entry, reload)) return true;
  if (!entry || hasTypedText()) return false;
  try {
    if (Date.now() - Number(sessionStorage.getItem(RESTARTED_KEY)) < PAUSE_MS) return false;
    const { ok } = await fetch(entry, { method: 'HEAD', cache: 'no-store' });
    if (!ok || hasTypedText()) return false;
    sessionStorage.setItem(RESTARTED_KEY, String(Date.now()));
  } catch {
    return false;
  }
  reload();
  return true;
}

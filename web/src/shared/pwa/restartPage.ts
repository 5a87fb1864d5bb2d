import { entryOf, reloadForNewBuild } from './newBuild.ts';

/** Time of this page's last restart because of a part that failed to load. */
const RESTARTED_KEY = 'sooner.begunAgain';
const PAUSE_MS = 60_000;

/** Returns whether a field holds text, which must not be lost. */
const hasTypedText = () =>
  [...document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox],[type=radio]),textarea')].some(
    ({ value }) => value !== '',
  );

/**
 * Restarts the page after repeated failures to load a part. Browsers before autumn 2026 cache a
 * failed `import()` for the page's lifetime (whatwg/html#6768). The page reloads once the server
 * answers, at most once a minute, and not if a field holds text. Returns whether it does.
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

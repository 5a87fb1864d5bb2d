const RELOADED = 'sooner.reloaded';

/**
 * Returns the address of the page's first script, or null. Its name identifies the build of the
 * page.
 */
export function entryOf(page: Document): string | null {
  const entry = page.querySelector<HTMLScriptElement>('script[type="module"][src], script[data-client]');
  return entry?.dataset.client ?? entry?.src ?? page.querySelector('astro-island')?.getAttribute('component-url') ?? null;
}

/**
 * Reloads the page if the server no longer has its build, once per build. Returns whether the page
 * reloads. It does not reload after a network failure, because typed values would be lost.
 */
export async function reloadForNewBuild(entry = entryOf(document), reload = () => window.location.reload()): Promise<boolean> {
  if (!entry) return false;
  try {
    if (sessionStorage.getItem(RELOADED) === entry) return false;
    const { status } = await fetch(entry, { method: 'HEAD', cache: 'no-store' });
    if (status !== 404) return false;
    // Several components may fail at once. The first caller reloads the page.
    if (sessionStorage.getItem(RELOADED) === entry) return true;
    // Remembers the build, so that the page does not reload endlessly if the server names missing
    // files.
    sessionStorage.setItem(RELOADED, entry);
  } catch {
    return false;
  }
  reload();
  return true;
}

const RELOADED = 'sooner.reloaded';

/**
 * Returns the first file of a page. An open page names it for its loader, a prebuilt document for
 * its island.
 */
export function entryOf(page: Document): string | null {
  const entry = page.querySelector<HTMLScriptElement>('script[type="module"][src], script[data-client]');
  return entry?.dataset.client ?? entry?.src ?? page.querySelector('astro-island')?.getAttribute('component-url') ?? null;
}

/**
 * Reloads the page if its build is no longer on the server, once per build. Returns whether it
 * does. A network failure is no reason, because a reload would discard typed values.
 */
export async function reloadForNewBuild(entry = entryOf(document), reload = () => window.location.reload()): Promise<boolean> {
  if (!entry) return false;
  try {
    if (sessionStorage.getItem(RELOADED) === entry) return false;
    const { status } = await fetch(entry, { method: 'HEAD', cache: 'no-store' });
    if (status !== 404) return false;
    // Several parts fail at once, and each calls this function.
    if (sessionStorage.getItem(RELOADED) === entry) return true;
    // Prevents endless reloads if a server's page names files that it does not have.
    sessionStorage.setItem(RELOADED, entry);
  } catch {
    return false;
  }
  reload();
  return true;
}

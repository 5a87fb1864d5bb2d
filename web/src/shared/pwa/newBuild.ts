const RELOADED = 'sooner.reloaded';

/** The file this page began with; an open page names it for its loader, a document made ahead for its island. */
export function entryOf(page: Document): string | null {
  const entry = page.querySelector<HTMLScriptElement>('script[type="module"][src], script[data-client]');
  return entry?.dataset.client ?? entry?.src ?? page.querySelector('astro-island')?.getAttribute('component-url') ?? null;
}

/**
 * Loads the page anew when its build is no longer at the server, once per build; answers whether it does.
 * A part that did not come because the network is down is no reason: that would throw away what was typed.
 */
export async function reloadForNewBuild(entry = entryOf(document), reload = () => window.location.reload()): Promise<boolean> {
  if (!entry) return false;
  try {
    if (sessionStorage.getItem(RELOADED) === entry) return false;
    const { status } = await fetch(entry, { method: 'HEAD', cache: 'no-store' });
    if (status !== 404) return false;
    // Several parts fail at once, and each comes here.
    if (sessionStorage.getItem(RELOADED) === entry) return true;
    // A server whose page names files it does not have would otherwise be asked for ever.
    sessionStorage.setItem(RELOADED, entry);
  } catch {
    return false;
  }
  reload();
  return true;
}

/**
 * Script of the offline page. Applies the chosen theme and language, and checks every ten seconds
 * whether the server answers. The page contains the source text of this function
 * (pages/offline.astro), so it must not use other code.
 */
export function waitForServer(): void {
  const FIRST_LOOK_MS = 3_000;
  const LOOK_MS = 10_000;
  const PATIENCE_MS = 5_000;
  const root = document.documentElement;
  try {
    const mode = localStorage.getItem('sooner.mode');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    const known = navigator.languages?.find((tag) => /^(en|zh)\b/i.test(tag)) ?? 'zh';
    root.lang = /^en/i.test(localStorage.getItem('i18nextLng') || known) ? 'en' : 'zh-CN';
  } catch {
    // Storage is blocked. The page's default language and theme apply.
  }
  const english = root.lang === 'en';
  // `navigator.onLine` is unreliable. Only a response, even an error, proves that the network
  // works.
  const show = (missing: 'unreachable' | 'server') => {
    root.dataset.missing = missing;
    document.title = document.querySelector(`main[lang="${root.lang}"] .${missing} h1`)?.textContent ?? document.title;
    for (const time of document.querySelectorAll('time'))
      time.textContent = new Date().toLocaleTimeString(english ? 'en-CA' : 'zh-CN', { hour12: false });
  };
  const open = () => {
    if (location.pathname === '/offline') location.replace('/');
    else location.reload();
  };
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    root.dataset.looking = '';
    let missing: 'unreachable' | 'server' = 'unreachable';
    try {
      // The service worker does not answer this path, so a response comes from the server.
      const { ok } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
      if (ok) return open();
      missing = 'server';
    } catch {
      // The server is still unreachable.
    } finally {
      looking = false;
      delete root.dataset.looking;
    }
    show(missing);
  };
  const lookIfSeen = () => {
    if (document.visibilityState === 'visible') void look();
  };
  show('unreachable');
  for (const button of document.querySelectorAll('button')) button.addEventListener('click', () => void look());
  addEventListener('online', () => void look());
  addEventListener('offline', () => show('unreachable'));
  document.addEventListener('visibilitychange', lookIfSeen);
  // Waits before the first check. A server that answers the check but not the page would otherwise
  // be requested in a fast loop.
  setTimeout(lookIfSeen, FIRST_LOOK_MS);
  setInterval(lookIfSeen, LOOK_MS);
}

// Runs within the document, before its first paint: who has no business here, language, theme. Built into each document as it is.
(() => {
  const root = document.documentElement;
  const { lang, guests } = document.currentScript.dataset;
  // Forms are sent by the page's code alone; the browser itself would leave the page with what was typed.
  addEventListener('submit', (event) => event.preventDefault(), true);
  try {
    const asked = new URLSearchParams(location.search);
    const chosen = localStorage.getItem('i18nextLng');
    // The cookie that mirrors the choice was lost: ask for the right document by name.
    if (chosen && !asked.has('lang') && /^en/i.test(chosen) !== (lang === 'en')) {
      asked.set('lang', lang === 'en' ? 'zh' : 'en');
      location.replace(`?${asked}${location.hash}`);
      return;
    }
    const mode = localStorage.getItem('sooner.mode');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    for (const meta of document.querySelectorAll('meta[data-scheme]'))
      meta.media = meta.dataset.scheme === root.dataset.theme ? 'all' : 'not all';
    // The app has just found nobody signed in here (shared/routing/origin.ts).
    const away = sessionStorage.getItem('sooner.turnedAway');
    sessionStorage.removeItem('sooner.turnedAway');
    if (away) root.dataset.turnedAway = '';
    const kept = JSON.parse(localStorage.getItem('sooner.refresh') ?? sessionStorage.getItem('sooner.refresh'));
    if (guests === undefined || away || !kept?.user || (kept.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now()) return;
    const to = new URL(asked.get('next') || '/dashboard', location.origin);
    const ours = to.origin === location.origin && !/^\/(auth|api)(\/|$)/.test(to.pathname);
    root.hidden = true;
    location.replace(ours ? to : '/dashboard');
  } catch {
    // Storage may be blocked: the document's own language and theme stand.
  }
})();

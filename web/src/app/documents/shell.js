// Runs in every document of the app before the first paint. Sets theme and language, redirects
// users who may not see the page, and sends the page's first requests early (shared/api/early.ts
// reads the responses). The build minifies it and writes it into each document (integration.ts).
(() => {
  const root = document.documentElement;
  const { members, first } = document.currentScript.dataset;
  // Removes the secret of a payment from the address before other code can read it
  // (features/money/PaymentPage.tsx).
  const asked = new URLSearchParams(location.search);
  if (asked.has('payment_intent_client_secret')) {
    asked.delete('payment_intent_client_secret');
    asked.delete('redirect_status');
    history.replaceState(history.state, '', `?${asked}`);
  }
  // Marks later steps of the wizard, because they differ from the skeleton (FirstLook.astro).
  if ((asked.get('step') ?? '1') !== '1') root.dataset.step = '';
  try {
    const mode = localStorage.getItem('sooner.mode');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    for (const meta of document.querySelectorAll('meta[data-scheme]'))
      meta.media = meta.dataset.scheme === root.dataset.theme ? 'all' : 'not all';
    if (localStorage.getItem('sooner.letters')) root.dataset.letters = '';
    const language = localStorage.getItem('i18nextLng');
    if (language) root.lang = /^en/i.test(language) ? 'en' : 'zh-CN';
    if (members === undefined) return;
    const kept = localStorage.getItem('sooner.refresh') ?? sessionStorage.getItem('sooner.refresh');
    const token = localStorage.getItem('sooner.access');
    // Redirects guests. If another tab or the previous page may have a session, the app's code
    // decides instead.
    if (!kept && !token && !history.state?.soonerSession) {
      root.hidden = true;
      location.replace(`/auth/login?next=${encodeURIComponent(location.pathname + location.search)}`);
      return;
    }
    // Creating the first date formatter takes up to a tenth of a second on a slow phone, so it is
    // done now, while the phone is idle.
    requestAnimationFrame(() =>
      setTimeout(() => new Intl.DateTimeFormat('en-CA', { hour: '2-digit', timeZoneName: 'shortGeneric' }).format()),
    );
    // Sends no requests with an expired token, because the server would refuse them.
    const { at } = JSON.parse(localStorage.getItem('sooner.turn'));
    if (!first || !kept || !token || Date.now() - at > 840_000) return;
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    // A server that charges nothing has no balance. If the browser does not know that yet, the app
    // requests it (shared/api/billing.ts).
    const billed = localStorage.getItem('sooner.billing') === 'on';
    const paths = first.split(' ').filter((path) => billed || path !== '/users/credit');
    window.early = paths.map((path) => {
      const url = `/api/v1${path.replace(':id', location.pathname.split('/')[2])}`;
      const response = fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
      response.catch(() => undefined);
      return { url, token, response };
    });
  } catch {
    // Storage is blocked. The document's default language and theme apply, and the app sends the
    // requests itself.
  }
})();

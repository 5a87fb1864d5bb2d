// Runs within each document of the app before its first paint. It sets theme and language,
// redirects users who may not see the page, and sends the page's first requests early
// (shared/api/early.ts takes the responses). The build puts it into the document unchanged.
(() => {
  const root = document.documentElement;
  const { members, first } = document.currentScript.dataset;
  // Removes the payment's secret from the address before any other code can read it
  // (features/money/PaymentPage.tsx).
  const asked = new URLSearchParams(location.search);
  if (asked.has('payment_intent_client_secret')) {
    asked.delete('payment_intent_client_secret');
    asked.delete('redirect_status');
    history.replaceState(history.state, '', `?${asked}`);
  }
  // Later steps of the wizard differ from its skeleton (FirstLook.astro).
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
    // Another tab or the previous page may hold a session. The app's code finds that out.
    if (!kept && !token && !history.state?.soonerSession) {
      root.hidden = true;
      location.replace(`/auth/login?next=${encodeURIComponent(location.pathname + location.search)}`);
      return;
    }
    // The first use of a calendar takes a slow phone a tenth of a second. The phone is idle now.
    requestAnimationFrame(() =>
      setTimeout(() => new Intl.DateTimeFormat('en-CA', { hour: '2-digit', timeZoneName: 'shortGeneric' }).format()),
    );
    // The server would refuse an expired token.
    const { at } = JSON.parse(localStorage.getItem('sooner.turn'));
    if (!first || !kept || !token || Date.now() - at > 840_000) return;
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    // Without charges there is no balance. If this browser does not know it yet, the app finds it
    // out (shared/api/billing.ts).
    const billed = localStorage.getItem('sooner.billing') === 'on';
    const paths = first.split(' ').filter((path) => billed || path !== '/users/credit');
    window.early = paths.map((path) => {
      const url = `/api/v1${path.replace(':id', location.pathname.split('/')[2])}`;
      const response = fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
      response.catch(() => undefined);
      return { url, token, response };
    });
  } catch {
    // Storage may be blocked. Then the document's own language and theme apply, and the app sends
    // the requests itself.
  }
})();

// Runs within each document of the app, before its first paint: theme and language, who has no business here, and what the page
// shows first is asked for before any code is there (shared/api/early.ts takes the answers). Built into the document as it is.
(() => {
  const root = document.documentElement;
  const { members, first } = document.currentScript.dataset;
  // What would pay a payment goes out of the address before anything else reads it (features/money/PaymentPage.tsx).
  const asked = new URLSearchParams(location.search);
  if (asked.has('payment_intent_client_secret')) {
    asked.delete('payment_intent_client_secret');
    asked.delete('redirect_status');
    history.replaceState(history.state, '', `?${asked}`);
  }
  // Later steps of the wizard do not say what its outline says (FirstLook.astro).
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
    // What another tab knows, or the page before has handed over, is for the app's code to find out.
    if (!kept && !token && !history.state?.soonerSession) {
      root.hidden = true;
      location.replace(`/auth/login?next=${encodeURIComponent(location.pathname + location.search)}`);
      return;
    }
    // The first use of a calendar takes a slow phone a tenth of a second: meanwhile it has nothing else to do.
    requestAnimationFrame(() =>
      setTimeout(() => new Intl.DateTimeFormat('en-CA', { hour: '2-digit', timeZoneName: 'shortGeneric' }).format()),
    );
    // A token that is over by now would only be refused.
    const { at } = JSON.parse(localStorage.getItem('sooner.turn'));
    if (!first || !kept || !token || Date.now() - at > 840_000) return;
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    // Where nothing is charged there is no balance; the app finds out where this browser was never told (shared/api/billing.ts).
    const billed = localStorage.getItem('sooner.billing') === 'on';
    const paths = first.split(' ').filter((path) => billed || path !== '/users/credit');
    window.early = paths.map((path) => {
      const url = `/api/v1${path.replace(':id', location.pathname.split('/')[2])}`;
      const response = fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
      response.catch(() => undefined);
      return { url, token, response };
    });
  } catch {
    // Storage may be blocked: the document's own language and theme stand, and the app asks by itself.
  }
})();

// Runs within every document before its first paint: sets language and theme, marks signed-in
// users, stores the referral. The build minifies it and puts it into each document
// (integration.ts).
const root = document.documentElement;
const { lang } = document.currentScript.dataset;
const asked = new URLSearchParams(location.search);
// Only the page's code sends forms. The browser itself would leave the page with the typed values.
addEventListener('submit', (event) => event.preventDefault(), true);
try {
  // The referral code must survive until the registration (parts/account/referral.ts).
  const friend = asked.get('ref') ?? '';
  if (/^[A-Za-z0-9-]{3,64}$/.test(friend)) localStorage.setItem('sooner.referral', friend);
  // The landing page shows that the user was invited.
  if (localStorage.getItem('sooner.referral')) root.dataset.invited = '';
  const chosen = localStorage.getItem('i18nextLng');
  // The cookie that mirrors the chosen language is lost. Request the right document by name.
  if (chosen && !asked.has('lang') && /^en/i.test(chosen) !== (lang === 'en')) {
    asked.set('lang', lang === 'en' ? 'zh' : 'en');
    location.replace(`?${asked}${location.hash}`);
  }
  const mode = localStorage.getItem('sooner.mode');
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  for (const meta of document.querySelectorAll('meta[data-scheme]'))
    meta.media = meta.dataset.scheme === root.dataset.theme ? 'all' : 'not all';
  // Hides elements for guests only, or for signed-in users only. The account's code corrects the
  // mark later.
  if (localStorage.getItem('sooner.refresh') ?? sessionStorage.getItem('sooner.refresh')) root.dataset.member = '';
} catch {
  // Storage may be blocked. Then the document's own language and theme apply.
}

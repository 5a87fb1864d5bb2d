// Runs in every public document before the first paint. Sets language and theme, marks signed-in
// users, and stores the referral code. The build minifies it and writes it into each document
// (integration.ts).
const root = document.documentElement;
const { lang } = document.currentScript.dataset;
const asked = new URLSearchParams(location.search);
// Forms are sent only by the page's code. Otherwise the browser would leave the page and lose the
// typed values.
addEventListener('submit', (event) => event.preventDefault(), true);
try {
  // Stores the referral code until the registration (parts/account/referral.ts).
  const friend = asked.get('ref') ?? '';
  if (/^[A-Za-z0-9-]{3,64}$/.test(friend)) localStorage.setItem('sooner.referral', friend);
  // Makes the landing page show the invitation.
  if (localStorage.getItem('sooner.referral')) root.dataset.invited = '';
  const chosen = localStorage.getItem('i18nextLng');
  // The language cookie is missing, so the server chose another language than the user. Request the
  // other document explicitly.
  if (chosen && !asked.has('lang') && /^en/i.test(chosen) !== (lang === 'en')) {
    asked.set('lang', lang === 'en' ? 'zh' : 'en');
    location.replace(`?${asked}${location.hash}`);
  }
  const mode = localStorage.getItem('sooner.mode');
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  for (const meta of document.querySelectorAll('meta[data-scheme]'))
    meta.media = meta.dataset.scheme === root.dataset.theme ? 'all' : 'not all';
  // Hides elements for guests or for signed-in users. The code of the header corrects the mark
  // later.
  if (localStorage.getItem('sooner.refresh') ?? sessionStorage.getItem('sooner.refresh')) root.dataset.member = '';
} catch {
  // Storage is blocked. The document's default language and theme apply.
}

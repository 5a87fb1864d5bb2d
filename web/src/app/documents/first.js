// Runs within every document, before its first paint: language, theme, who is signed in, who sent them. The build puts it into each
// document as it is, shortened (integration.ts).
const root = document.documentElement;
const { lang } = document.currentScript.dataset;
const asked = new URLSearchParams(location.search);
// Forms are sent by the page's code alone; the browser itself would leave the page with what was typed.
addEventListener('submit', (event) => event.preventDefault(), true);
try {
  // A friend's code must outlive the way to the registration (parts/account/referral.ts).
  const friend = asked.get('ref') ?? '';
  if (/^[A-Za-z0-9-]{3,64}$/.test(friend)) localStorage.setItem('sooner.referral', friend);
  // The landing says that somebody was invited.
  if (localStorage.getItem('sooner.referral')) root.dataset.invited = '';
  const chosen = localStorage.getItem('i18nextLng');
  // The cookie that mirrors the choice was lost: ask for the right document by name.
  if (chosen && !asked.has('lang') && /^en/i.test(chosen) !== (lang === 'en')) {
    asked.set('lang', lang === 'en' ? 'zh' : 'en');
    location.replace(`?${asked}${location.hash}`);
  }
  const mode = localStorage.getItem('sooner.mode');
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  for (const meta of document.querySelectorAll('meta[data-scheme]'))
    meta.media = meta.dataset.scheme === root.dataset.theme ? 'all' : 'not all';
  // What is for guests alone, or for signed-in people alone, is hidden by it; the account's own code corrects it.
  if (localStorage.getItem('sooner.refresh') ?? sessionStorage.getItem('sooner.refresh')) root.dataset.member = '';
} catch {
  // Storage may be blocked: the document's own language and theme stand.
}

// The only script an open page begins with: theme and language before the first paint, and the page's own code on the first
// touch, key or scroll. A classic script in the head: it must not wait, and imports nothing.
(() => {
  const script = document.currentScript as HTMLScriptElement;
  const { client = '', more = '', lang = 'zh' } = script.dataset;
  const root = document.documentElement;
  let member = false;
  try {
    const mode = localStorage.getItem('sooner.mode');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    const scheme = dark ? 'dark' : 'light';
    root.setAttribute('data-theme', scheme);
    // The browser's own bars too; what is chosen later they follow by theme/themeColor.ts.
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]'))
      meta.media = meta.dataset.scheme === scheme ? 'all' : 'not all';
    // A friend's code must outlive the way to the registration (lib/referral.ts keeps it likewise).
    const friend = new URLSearchParams(location.search).get('ref') ?? '';
    if (/^[A-Za-z0-9-]{3,64}$/.test(friend)) localStorage.setItem('sooner.referral', friend);
    const chosen = localStorage.getItem('i18nextLng');
    const asked = new URLSearchParams(location.search).has('lang');
    // The cookie that mirrors the choice was lost: ask for the right document by name.
    if (chosen && !asked && /^en/i.test(chosen) !== (lang === 'en')) {
      location.replace(`${location.pathname}?lang=${/^en/i.test(chosen) ? 'en' : 'zh'}${location.hash}`);
      return;
    }
    member = localStorage.getItem('sooner.refresh') !== null || sessionStorage.getItem('sooner.refresh') !== null;
    // What is for guests alone, or for members alone, is hidden by it (open/OpenApp.tsx corrects it).
    if (member) root.setAttribute('data-member', '');
  } catch {
    // Storage may be blocked: the document's own language and theme stand.
  }
  const wakers = ['pointerdown', 'pointerover', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'];
  let pressed: HTMLElement | null = null;
  let woken = false;
  // A press before the page is alive would be lost: it is kept and made again. Links work by themselves.
  const keep = (event: Event) => {
    const button = (event.target as HTMLElement).closest('button');
    if (!button || button.closest('a')) return;
    event.preventDefault();
    event.stopPropagation();
    pressed = button;
  };
  const reloaded = 'sooner.reloaded';
  /** How often the code did not come, or did not run. */
  let lost = 0;
  // Where the code is after a failure; fails itself while the server does not answer. The page is loaded anew, once, where a newer
  // build is up (as pwa/newBuild.ts, which is part of what did not come), or where nothing is typed: browsers before autumn 2026
  // keep a failed import under its address. Otherwise it is asked for under another one.
  const found = () =>
    fetch(client, { method: 'HEAD', cache: 'no-store' }).then(({ ok, status }) => {
      if (!ok && status !== 404) throw status;
      // No field of an open page is but for text.
      const typed = [...document.querySelectorAll('input')].some(({ value }) => value);
      if ((ok && typed) || sessionStorage.getItem(reloaded) === client) return `${client}?again=${lost}`;
      sessionStorage.setItem(reloaded, client);
      location.reload();
      return new Promise<string>(() => undefined);
    });
  const load = (address: string): Promise<void> =>
    import(/* @vite-ignore */ address)
      .then((page: { live: () => Promise<void> }) => page.live())
      .then(
        () => {
          for (const name of wakers) removeEventListener(name, wake, true);
          removeEventListener('click', keep, true);
          pressed?.click();
          sessionStorage.removeItem(reloaded);
        },
        (error) => {
          if (lost++) throw error;
          return found().then(load);
        },
      );
  const wake = () => {
    if (woken) return;
    woken = true;
    // What the code begins with, asked for at once and not when the code has named it.
    for (const name of more.split(' ')) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = `/assets/${name}.js`;
      if (name) document.head.append(link);
    }
    (lost ? found().then(load) : load(client)).catch(() => {
      // Nobody expects a press of long ago to be made once the network is back.
      pressed = null;
      // The next touch tries again, as long as there is hope.
      woken = lost > 3;
    });
  };
  // Forms here are sent by the page's code alone: the browser itself would leave the page with what was typed.
  addEventListener('submit', (event) => event.preventDefault(), true);
  addEventListener('click', keep, true);
  for (const name of wakers) addEventListener(name, wake, { capture: true, passive: true });
  if (member) addEventListener('DOMContentLoaded', wake);
})();

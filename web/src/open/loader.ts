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
    void import(/* @vite-ignore */ client)
      .then((page: { live: () => Promise<void> }) => page.live())
      .then(
        () => {
          for (const name of wakers) removeEventListener(name, wake, true);
          removeEventListener('click', keep, true);
          pressed?.click();
        },
        // The network failed: the next touch tries again, and until then nothing is pressed.
        () => {
          woken = false;
          // Or a newer build is up: its document names code that is there (as pwa/newBuild.ts, which is part of what did not come).
          const reloaded = 'sooner.reloaded';
          void fetch(client, { method: 'HEAD', cache: 'no-store' })
            .then(({ status }) => {
              if (status !== 404 || sessionStorage.getItem(reloaded) === client) return;
              sessionStorage.setItem(reloaded, client);
              location.reload();
            })
            .catch(() => undefined);
        },
      );
  };
  // Forms here are sent by the page's code alone: the browser itself would leave the page with what was typed.
  addEventListener('submit', (event) => event.preventDefault(), true);
  addEventListener('click', keep, true);
  for (const name of wakers) addEventListener(name, wake, { capture: true, passive: true });
  if (member) addEventListener('DOMContentLoaded', wake);
})();

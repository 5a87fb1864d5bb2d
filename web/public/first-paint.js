// Sets theme and language on <html> before the first paint. It is a separate file, because the
// page's content security policy forbids inline scripts.
(() => {
  const root = document.documentElement;
  try {
    const mode = localStorage.getItem('sooner.mode');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    const scheme = dark ? 'dark' : 'light';
    root.setAttribute('data-theme', scheme);
    for (const meta of document.querySelectorAll('meta[data-scheme]')) meta.media = meta.dataset.scheme === scheme ? 'all' : 'not all';
    const stored = localStorage.getItem('i18nextLng');
    const language = stored || navigator.languages?.find((tag) => /^(en|zh)\b/i.test(tag)) || 'zh';
    root.lang = /^en/i.test(language) ? 'en' : 'zh-CN';
    document.querySelector('link[rel=manifest]')?.setAttribute('href', root.lang === 'en' ? '/site.en.webmanifest' : '/site.webmanifest');
  } catch {
    // Storage is blocked. The defaults in index.html apply.
  }
})();

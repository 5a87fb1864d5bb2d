// Sets theme and language on <html> before the first paint; a file of its own because the page's CSP forbids inline scripts.
(() => {
  const root = document.documentElement;
  try {
    const mode = localStorage.getItem('sooner.mode');
    const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.setAttribute('data-theme', dark ? 'dark' : 'light');
    const stored = localStorage.getItem('i18nextLng');
    const language = stored || navigator.language || 'zh';
    root.lang = /^en/i.test(language) ? 'en' : 'zh-CN';
  } catch {
    // Storage may be blocked: the defaults in index.html stand.
  }
})();

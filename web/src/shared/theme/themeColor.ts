/**
 * Makes the browser's bars follow the page's colours. Without a choice the browser's own scheme
 * decides (`media`).
 */
export function followThemeColor(root = document.documentElement): void {
  const follow = () => {
    const scheme = root.dataset.theme;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]'))
      meta.media = meta.dataset.scheme === scheme ? 'all' : 'not all';
  };
  new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ['data-theme'] });
}

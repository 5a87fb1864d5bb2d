/**
 * Gives the browser's bars the colour of the page. If the user has chosen no scheme, the media
 * queries of the document decide.
 */
export function followThemeColor(root = document.documentElement): void {
  const follow = () => {
    const scheme = root.dataset.theme;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]'))
      meta.media = meta.dataset.scheme === scheme ? 'all' : 'not all';
  };
  new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ['data-theme'] });
}

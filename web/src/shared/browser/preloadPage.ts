const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

/**
 * Preloads the files that the document of a page names. It searches the document as text. A parser
 * would apply the styles of the document to this page, which the content security policy forbids.
 */
export async function preloadPage(path: string): Promise<void> {
  const answer = await fetch(path, { headers: { Accept: 'text/html' } });
  for (const [tag] of (await answer.text()).matchAll(/<(?:link|script)\b[^>]*>/g)) {
    const sheet = attribute(tag, 'rel') === 'stylesheet';
    const code = attribute(tag, 'rel') === 'modulepreload' || attribute(tag, 'type') === 'module';
    const address = attribute(tag, 'href') ?? attribute(tag, 'src');
    if (!address || !(sheet || code)) continue;
    const link = document.createElement('link');
    link.rel = sheet ? 'preload' : 'modulepreload';
    if (sheet) link.as = 'style';
    link.href = address;
    link.crossOrigin = 'anonymous';
    document.head.append(link);
  }
}

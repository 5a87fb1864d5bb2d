// Parts of a document that stay as they are (open/parts.tsx: `Boxed`) are no longer React's: their markup may be as short as it
// reads. What comes alive (the frame, islands) must be what the page's code makes of it, and is not touched.

const PART = /<div data-part="[^"]*" style="[^"]*">/g;
const ISLAND = '<!--$';

/** Where the kept parts of a document begin and end: pairs of indices, in order. */
export function keptParts(html) {
  const parts = [];
  for (const { 0: open, index } of html.matchAll(PART)) {
    const begin = index + open.length;
    if (html.startsWith(ISLAND, begin) || begin < (parts.at(-1)?.[1] ?? 0)) continue;
    let depth = 1;
    const tags = /<(\/?)div\b/g;
    tags.lastIndex = begin;
    for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
      depth += tag[1] ? -1 : 1;
      if (depth === 0) {
        parts.push([begin, tag.index]);
        break;
      }
    }
  }
  return parts;
}

/** The document with `shorter` applied to each kept part, and `rest` (for looking at) to what lies between. */
function each(html, shorter, rest = (text) => text) {
  let out = '';
  let at = 0;
  for (const [begin, end] of keptParts(html)) {
    out += rest(html.slice(at, begin)) + shorter(html.slice(begin, end));
    at = end;
  }
  return out + rest(html.slice(at));
}

const CLASS = / class="([^"]*)"/g;
const classesOf = (html) => [...html.matchAll(CLASS)].flatMap((match) => match[1].split(' '));
const classesIn = (css) => new Set([...css.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map((match) => match[1]));

/** Markup without what says nothing: React's seams between texts, what elements are by themselves, needless ends. */
const plainer = (html) =>
  html
    .replace(/<!-- -->/g, '')
    .replace(/ focusable="false"/g, '')
    .replace(/(<a\b[^>]*) tabindex="0"/g, '$1')
    .replace(/><\/(path|rect|circle|line|ellipse)>/g, '/>');

/** The classes of what lies outside of the kept parts. */
export function livingClasses(html) {
  let alive = '';
  each(
    html,
    () => '',
    (text) => {
      alive += text;
      return text;
    },
  );
  return new Set(classesOf(alive));
}

/**
 * Shortens the kept parts of a document: classes that no rule names go, and those of Emotion that are not `living` get names of
 * two letters, also in the rules.
 */
export function shortenKept(html, css, living) {
  const ruled = classesIn(css);
  const short = new Map();
  const shorter = (name) => {
    if (!name.startsWith('css-') || living.has(name)) return name;
    if (!short.has(name)) short.set(name, `k${short.size.toString(36)}`);
    return short.get(name);
  };
  const body = each(html, (part) =>
    plainer(part).replace(CLASS, (_, names) => {
      const kept = names.split(' ').filter((name) => ruled.has(name));
      return kept.length > 0 ? ` class="${kept.map(shorter).join(' ')}"` : '';
    }),
  );
  return { html: body, css: css.replace(/\.(css-[\w-]+)/g, (_, name) => `.${short.get(name) ?? name}`) };
}

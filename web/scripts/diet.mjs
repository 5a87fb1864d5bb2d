// Only the rules and variables that a document uses, once each and small: what MUI and Emotion write for every state a component
// can be in is five times of that. The page's code brings its own rules when it is alive; these stay for what it does not touch.
import { JSDOM } from 'jsdom';
import { Features, transform } from 'lightningcss';
import postcss from 'postcss';

// Nobody with an older browser can run the app's code (es2022). Colours stay as they are written.
const version = (major, minor = 0) => (major << 16) | (minor << 8);
const targets = { chrome: version(105), firefox: version(105), safari: version(15, 6), ios_saf: version(15, 6) };
/** Of browsers that are no more. */
const GONE = /::?-(moz-focus-inner|ms-)/;
/** Of a pointer or of the browser's own filling in. */
const TOUCHED = /:(hover|active|focus-within|(-webkit-)?autofill)\b/;
/** What may come and go without the page's code, or by a word of it: it is as if it were there. */
const COMING = /\[(data-(?!part)|aria-|open|hidden)[^\]]*\]/g;
/** What a selector says beyond elements, classes and attributes: it cannot be asked of a document that lies still. */
const PSEUDO = /::?[-a-z]+(\((?:[^()]|\([^()]*\))*\))?/gi;

/** Whether anything in the document could ever be meant by a selector. */
function meant(selector, document) {
  if (GONE.test(selector)) return false;
  const still = selector
    .replace(COMING, '')
    .replace(PSEUDO, '')
    .replace(/([>+~\s])\s*$/, '$1*')
    .replace(/^\s*$/, '*')
    .replace(/([>+~])\s*(?=[>+~]|$)/g, '$1*');
  try {
    return document.querySelector(still) !== null;
  } catch {
    return true;
  }
}

function dropUnmeant(root, document, living) {
  const known = new Map();
  // A pointer that could be over something living has brought it to life.
  const late = (selector) =>
    TOUCHED.test(selector) && [...selector.matchAll(/\.(css-[\w-]+)/g)].some(([, name]) => living.has(name));
  root.walkRules((rule) => {
    if (rule.parent.type === 'atrule' && /keyframes$/.test(rule.parent.name)) return;
    const kept = rule.selectors.filter((selector) => {
      if (!known.has(selector)) known.set(selector, !late(selector) && meant(selector, document));
      return known.get(selector);
    });
    if (kept.length === 0) rule.remove();
    else rule.selectors = kept;
  });
}

const context = (rule) => (rule.parent.type === 'atrule' ? `@${rule.parent.name} ${rule.parent.params}` : '');

/** A declaration that the same selector says again later never counts. */
function dropOverridden(root) {
  const said = new Set();
  const rules = [];
  root.walkRules((rule) => {
    rules.push(rule);
  });
  for (const rule of rules.reverse()) {
    if (/keyframes$/.test(rule.parent.name ?? '')) continue;
    const where = `${context(rule)}|${rule.selector}`;
    for (const declaration of [...rule.nodes].reverse()) {
      if (declaration.type !== 'decl') continue;
      const key = `${where}|${declaration.prop}`;
      if (said.has(key)) declaration.remove();
      else if (!declaration.important) said.add(key);
    }
    if (rule.nodes.length === 0) rule.remove();
  }
}

const named = (text) => [...text.matchAll(/var\(\s*(--[\w-]+)/g)].map((match) => match[1]);

/** Variables that nothing reads, also not by way of others. */
function dropUnread(root, html) {
  const definitions = new Map();
  const wanted = new Set(named(html));
  root.walkDecls((declaration) => {
    if (!declaration.prop.startsWith('--')) for (const name of named(declaration.value)) wanted.add(name);
    else definitions.set(declaration.prop, [...(definitions.get(declaration.prop) ?? []), declaration.value]);
  });
  for (const name of wanted) for (const value of definitions.get(name) ?? []) for (const next of named(value)) wanted.add(next);
  root.walkDecls(/^--/, (declaration) => {
    if (!wanted.has(declaration.prop)) declaration.remove();
  });
}

function dropEmpty(root) {
  const moves = new Set();
  root.walkDecls(/animation(-name)?$/, ({ value }) => {
    for (const word of value.split(/[\s,]+/)) moves.add(word);
  });
  root.walkAtRules(/keyframes$/, (frames) => {
    if (!moves.has(frames.params) || frames.name !== 'keyframes') frames.remove();
  });
  root.walkRules((rule) => {
    if (rule.nodes.length === 0) rule.remove();
  });
  root.walkAtRules('media', (media) => {
    if (media.nodes.length === 0) media.remove();
  });
}

/** What is always so needs no query. */
function unwrapAlways(root) {
  root.walkAtRules('media', (media) => {
    if (/^\(min-width:\s*0(px)?\)$/.test(media.params)) media.replaceWith(media.nodes);
  });
}

/** Prefixes that no browser of ours needs, and what only printers of buttons care for. */
const NEEDLESS =
  /^-(ms|o)-|^-moz-(?!osx)|^-webkit-(?!text-size|tap-|font-smoothing|user-select|line-clamp|box-orient|backdrop|mask)|^(print-)?color-adjust$/;
function dropPrefixes(root) {
  root.walkDecls((declaration) => {
    if (declaration.prop === '-webkit-appearance') declaration.prop = 'appearance';
    else if (NEEDLESS.test(declaration.prop) || /^-(webkit|ms|moz)-/.test(declaration.value)) declaration.remove();
  });
}

/** `text` with every `var(--name, otherwise)` replaced by what `put` makes of its name and what it would be otherwise. */
function eachVar(text, put) {
  let out = '';
  let at = 0;
  for (let begin = text.indexOf('var(--'); begin >= 0; begin = text.indexOf('var(--', at)) {
    let depth = 1;
    let end = begin + 4;
    for (; depth > 0 && end < text.length; end++) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    const inner = text.slice(begin + 4, end - 1);
    const comma = inner.indexOf(',');
    const name = (comma < 0 ? inner : inner.slice(0, comma)).trim();
    const otherwise = comma < 0 ? null : inner.slice(comma + 1).trim();
    out += text.slice(at, begin) + put(name, otherwise);
    at = end;
  }
  return out + text.slice(at);
}

/** Variables that are the same in both palettes stand for their value; those that are always there need nothing to fall back on. */
function inlineConstants(root) {
  const values = new Map();
  const many = new Set(['--font']);
  const always = new Set();
  root.walkDecls(/^--/, (declaration) => {
    const { selector, parent } = declaration.parent;
    if (parent === root && /^:root\b/.test(selector)) always.add(declaration.prop);
    if (parent !== root || selector !== ':root' || values.has(declaration.prop)) many.add(declaration.prop);
    values.set(declaration.prop, declaration.value);
  });
  const put = (text) =>
    eachVar(text, (name, otherwise) => {
      if (always.has(name) && !many.has(name)) return put(values.get(name));
      if (always.has(name) || otherwise === null) return `var(${name})`;
      return `var(${name},${put(otherwise)})`;
    });
  root.walkDecls((declaration) => {
    declaration.value = put(declaration.value);
  });
}

/** Short names for variables that only the rules read. */
function shortenVariables(root, html) {
  const fixed = new Set([...named(html), '--font']);
  const short = new Map();
  const shorter = (name) => {
    if (fixed.has(name)) return name;
    if (!short.has(name)) short.set(name, `--${short.size.toString(36)}`);
    return short.get(name);
  };
  root.walkDecls((declaration) => {
    if (declaration.prop.startsWith('--')) declaration.prop = shorter(declaration.prop);
    declaration.value = declaration.value.replace(/var\(\s*(--[\w-]+)/g, (_, name) => `var(${shorter(name)}`);
  });
}

/**
 * The rules of `css` that the elements of `html` (all of the body) need, in their order, minified; `living` are the classes of
 * what the page's code brings to life.
 */
export function diet(css, html, living) {
  const { document } = new JSDOM(`<!doctype html><html lang="x"><body>${html}</body></html>`).window;
  const root = postcss.parse(css);
  dropPrefixes(root);
  unwrapAlways(root);
  dropUnmeant(root, document, living);
  dropOverridden(root);
  inlineConstants(root);
  dropUnread(root, html);
  dropEmpty(root);
  shortenVariables(root, html);
  // Colours stay as they are written, and prefixes are dealt with above.
  const exclude =
    Features.Colors | Features.VendorPrefixes | Features.DirSelector | Features.LogicalProperties | Features.LangSelectorList;
  return transform({ filename: 'open.css', code: Buffer.from(root.toString()), minify: true, targets, exclude }).code.toString();
}

// Writes dist/app/{page}.{language}.html: the app's document once per page and language, naming the code that page begins with,
// so that the browser asks for it at once and not when the entry has run; and dist/app/routes.json, by which the server picks.
// Run after `vite build`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { areas } from '../src/shared/i18n/areas.ts';
import { firstLook } from '../src/shared/pwa/firstLook.ts';

const here = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(here('../dist/.vite/manifest.json'));
const document = here('../dist/index.html');

/** Every route names its page's module: `path: 'x', … import('../features/x/XPage.tsx')`. */
function routes() {
  const source = here('../src/app/router.tsx');
  const found = [...source.matchAll(/path: '([^']+)'[^}]*?import\('([^']+)'\)/g)];
  const written = source.match(/path: '/g)?.length;
  if (found.length !== written) throw new Error(`router.tsx has ${written} routes, ${found.length} were understood`);
  return found.map(([, path, module]) => ({ path, module: posix.join('src/app', module) }));
}

/** The files that a module and all it imports at once are in. */
function files(key, seen = new Set()) {
  const part = manifest[key];
  if (!part) throw new Error(`${key} is not in the build`);
  if (seen.has(part.file)) return seen;
  seen.add(part.file);
  for (const next of part.imports ?? []) files(next, seen);
  return seen;
}

const languages = {
  zh: { lang: 'zh-CN', manifest: '/site.webmanifest' },
  en: { lang: 'en', manifest: '/site.en.webmanifest' },
};
/** The pieces of the words that a page says (src/shared/i18n/areas.ts). */
const piecesOf = (module, language) => {
  const own = Object.keys(areas).find((area) => areas[area] === module);
  return ['app', ...(own ? [own] : [])].map((area) => `words:${language}/${area}`);
};
const pageName = (module) => module.replace(/^.*\//, '').replace('.tsx', '');
const named = (file) => document.includes(`"/${file}"`);

function documentOf(module, language) {
  const { lang, manifest: installed } = languages[language];
  const { name, description } = JSON.parse(here(`../public${installed}`));
  const look = firstLook(JSON.parse(here(`../src/shared/i18n/${language}.json`)), here('../public/mark.svg'));
  const parts = [...piecesOf(module, language), module].flatMap((key) => [...files(key)]);
  const wanted = [...new Set(parts)].filter((file) => file.endsWith('.js') && !named(file));
  const links = wanted.map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`).join('');
  return document
    .replace(/<html lang="[^"]*"/, `<html lang="${lang}"`)
    .replace(/<title>[^<]*/, `<title>${name}`)
    .replace(/(name="description" content=)"[^"]*"/, `$1"${description}"`)
    .replace('href="/site.webmanifest"', `href="${installed}"`)
    .replace('  </head>', `${links}    <style>${look.css}</style>\n  </head>`)
    .replace('<div id="root"></div>', `<div id="root">${look.html}</div>`);
}

rmSync(new URL('app/', dist), { recursive: true, force: true });
mkdirSync(new URL('app/', dist), { recursive: true });
const known = routes();
for (const module of new Set(known.map((route) => route.module)))
  for (const language of Object.keys(languages))
    writeFileSync(new URL(`app/${pageName(module)}.${language}.html`, dist), documentOf(module, language));
const list = known.map(({ path, module }) => ({ path, page: pageName(module) }));
writeFileSync(new URL('app/routes.json', dist), JSON.stringify(list));

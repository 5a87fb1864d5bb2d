import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { AstroIntegration } from 'astro';
import { build, minifySync, type Plugin } from 'vite';

const MODULE = 'virtual:first-scripts';
/** Maximum size in bytes of the script that runs before the first paint. */
const LARGEST_BYTES = 1024;

const source = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Minifies a script that each document contains. */
function minified(script: string): string {
  const { code, errors } = minifySync('first.js', script);
  if (errors.length > 0) throw errors[0];
  return code.trim();
}

const firstScript = (...names: string[]) => minified(`(()=>{${names.map(source).join('\n')}})()`);

/** Bundles a script and its imports into one script for a document. */
async function bundled(name: string): Promise<string> {
  const entry = new URL(name, import.meta.url).pathname;
  const made = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'first' } },
  });
  const [output] = [made].flat();
  if (!output || !('output' in output)) throw new Error(`${name} was not made`);
  return minified(output.output[0].code);
}

function firstScripts(): Plugin {
  return {
    name: 'sooner:first-scripts',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    async load(id) {
      if (id !== `\0${MODULE}`) return null;
      const first = firstScript('first.js');
      if (first.length > LARGEST_BYTES) throw new Error(`first.js has ${first.length} bytes, ${LARGEST_BYTES} are allowed`);
      const scripts = {
        first,
        firstAuth: firstScript('first.js', 'firstAuth.js'),
        shell: minified(source('shell.js')),
        firstData: await bundled('firstDataScript.ts'),
      };
      return Object.entries(scripts)
        .map(([name, script]) => `export const ${name} = ${JSON.stringify(script)};`)
        .join('');
    },
  };
}

/**
 * Omits lazy components while a document is built. The document then contains neither their code
 * nor their styles, which load together later.
 */
function leaveOutLazyParts(): Plugin {
  return {
    name: 'sooner:lazy-parts',
    applyToEnvironment: ({ name }) => name !== 'client',
    resolveDynamicImport: (specifier) =>
      typeof specifier === 'string' && /^\.\.?\/.*\.tsx?$/.test(specifier) ? `\0lazy:${specifier}` : null,
    load: (id) => (id.startsWith('\0lazy:') ? 'export {};' : null),
  };
}

interface Chunk {
  modules?: object;
  viteMetadata?: { importedCss: Set<string>; importedAssets: Set<string> };
}

const isSheet = (id: string) => /\.css$/.test(id);

/**
 * Keeps the styles of lazy components as files. Astro inlines the styles of rendered components,
 * and drops all others unless a chunk names them.
 */
function keepLazyStyles(): Plugin {
  const drawn = new Set<string>();
  return {
    name: 'sooner:lazy-styles',
    enforce: 'pre',
    transform(_, id) {
      if (this.environment.name !== 'client' && isSheet(id)) drawn.add(id);
    },
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return;
      for (const { modules = {}, viteMetadata } of Object.values(bundle) as Chunk[]) {
        const lazy = Object.keys(modules).some((id) => isSheet(id) && !drawn.has(id));
        for (const sheet of lazy ? (viteMetadata?.importedCss ?? []) : []) viteMetadata?.importedAssets.add(sheet);
      }
    },
  };
}

const names = new Map<string, string>();

/** Returns a short class name for documents, because their styles are inlined. */
export function shortName(name: string, file: string): string {
  const path = relative(process.cwd(), file.replace(/\?.*/, ''));
  const hash = createHash('sha256')
    .update(`${path} ${name}`)
    .digest('base64url')
    .replace(/[^A-Za-z0-9]/g, '');
  const short = hash.replace(/^[0-9]+/, '').slice(0, 4);
  const other = names.get(short) ?? `${path} ${name}`;
  if (other !== `${path} ${name}`) throw new Error(`${path} ${name} and ${other} have the same short name`);
  names.set(short, other);
  return short;
}

/**
 * Astro integration for documents. It adds the directive `client:touch` and the scripts that run
 * before the first paint.
 */
export const documents = (): AstroIntegration => ({
  name: 'sooner:documents',
  hooks: {
    'astro:config:setup': ({ addClientDirective, updateConfig }) => {
      addClientDirective({ name: 'touch', entrypoint: new URL('./touch.ts', import.meta.url).pathname });
      updateConfig({ vite: { plugins: [firstScripts(), leaveOutLazyParts(), keepLazyStyles()] } });
    },
  },
});

// The documents that need no sign-in, made by `astro build` into dist/documents; the app itself is vite.config.ts's.
import { fileURLToPath } from 'node:url';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';
import { documents, shortName } from './src/app/documents/integration.ts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const ON_DEMAND =
  /openapi-fetch|base-ui|floating-ui|external-store|UiWords|shared\/ui\/words|shared\/api\/(?!facts|identity|useIdentity)/;

export default defineConfig({
  outDir: './dist/documents',
  // What lies in public/ is copied by the app's build.
  publicDir: './src/pages/none',
  build: { format: 'file', assets: 'assets', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  integrations: [react(), documents()],
  vite: {
    css: { modules: { generateScopedName: shortName } },
    build: {
      target: 'es2022',
      assetsInlineLimit: 0,
      // A file that the app's build has too is the same file, by its name as well: the font is loaded once.
      rolldownOptions: {
        output: {
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // What islands share is one file instead of many of a few hundred bytes, without what only a member or an open menu needs.
              // In browsers alone: pages made of one file would each have the styles of all.
              codeSplitting: { groups: [{ name: 'shared', minShareCount: 3, test: (id) => !ON_DEMAND.test(id) }] },
            },
          },
        },
      },
    },
    // Documents speak the words that they were built with.
    resolve: { alias: [{ find: /^react-i18next$/, replacement: here('./src/shared/i18n/documentWords.tsx') }] },
  },
});

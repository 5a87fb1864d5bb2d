// Builds the documents that need no sign-in into dist/documents with `astro build`. The app itself
// is built by vite.config.ts.
import { fileURLToPath } from 'node:url';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';
import { documents, shortName } from './src/app/documents/integration.ts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const ON_DEMAND =
  /openapi-fetch|base-ui|floating-ui|external-store|UiTexts|shared\/ui\/words|shared\/api\/(?!facts|identity|useIdentity)/;

export default defineConfig({
  outDir: './dist/documents',
  // The app's build copies public/.
  publicDir: './src/pages/none',
  build: { format: 'file', assets: 'assets', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  integrations: [react(), documents()],
  vite: {
    css: { modules: { generateScopedName: shortName } },
    build: {
      target: 'es2022',
      assetsInlineLimit: 0,
      // A file that the app's build also has gets the same name, so that the font loads once.
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
              // Shared code of islands is one file instead of many small ones, without the code for
              // signed-in users or open menus. Only for browsers: pages from one file would each
              // have the styles of all.
              codeSplitting: { groups: [{ name: 'shared', minShareCount: 3, test: (id) => !ON_DEMAND.test(id) }] },
            },
          },
        },
      },
    },
    // Documents use the texts of their build.
    resolve: { alias: [{ find: /^react-i18next$/, replacement: here('./src/shared/i18n/documentTexts.tsx') }] },
  },
});

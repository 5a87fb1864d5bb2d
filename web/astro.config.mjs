// Configuration of `astro build`, which builds the prerendered documents into dist/documents.
// vite.config.ts builds the app.
import { fileURLToPath } from 'node:url';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';
import { documents, shortName } from './src/app/documents/integration.ts';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const ON_DEMAND =
  /openapi-fetch|base-ui|floating-ui|external-store|UiTexts|shared\/ui\/words|shared\/api\/(?!facts|identity|useIdentity)/;

export default defineConfig({
  outDir: './dist/documents',
  // An empty folder, because the app's build copies public/.
  publicDir: './src/pages/none',
  build: { format: 'file', assets: 'assets', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  integrations: [react(), documents()],
  vite: {
    css: { modules: { generateScopedName: shortName } },
    build: {
      target: 'es2022',
      assetsInlineLimit: 0,
      // A file that the app's build also contains gets the same name there, so that fonts load only
      // once.
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
              // Puts code that islands share into one file, except code for signed-in users and
              // open menus. Only for browsers: with shared files, each page would get the styles of
              // all.
              codeSplitting: { groups: [{ name: 'shared', minShareCount: 3, test: (id) => !ON_DEMAND.test(id) }] },
            },
          },
        },
      },
    },
    // Documents contain their texts, so they use this module instead of react-i18next.
    resolve: { alias: [{ find: /^react-i18next$/, replacement: here('./src/shared/i18n/documentTexts.tsx') }] },
  },
});

import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';
import { sharedByPages } from './chunks.ts';
import { mockBackend } from './mock/plugin.ts';

const toServer: Record<string, ProxyOptions | string> = { '/api': 'http://127.0.0.1:8080' };

export default defineConfig(({ mode }) => ({
  plugins: [react(), ...(mode === 'mock' ? [mockBackend()] : [])],
  build: {
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Builds the app. The card page and the service worker have separate builds
      // (vite.card.config.ts, vite.worker.config.ts).
      input: 'src/app/main.tsx',
      preserveEntrySignatures: 'exports-only' as const,
      output: {
        // Each page loads the names of about a hundred files, whose checksums cannot be compressed.
        // Seven characters are the bundler's minimum.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          // Each group includes the imports of its modules. All other code is split by the pages
          // that use it.
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler|react-is)\//, priority: 5 },
            { name: 'app', tags: ['$initial' as const], test: /^(?!.*src\/app\/main\.tsx$)/, priority: 4 },
            { name: 'account', test: /node_modules\/(?:zod|react-hook-form|@hookform)\//, priority: 3 },
            ...sharedByPages,
          ],
        },
      },
    },
  },
  server: { proxy: mode === 'mock' ? {} : toServer },
}));

import react from '@vitejs/plugin-react';
import type { ProxyOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import { mockBackend } from './mock/plugin.ts';
import { sharedFiles } from './scripts/chunks.ts';
import { splitWords } from './scripts/words.ts';

const toServer: Record<string, ProxyOptions | string> = { '/api': 'http://127.0.0.1:8080' };

export default defineConfig(({ mode, isSsrBuild }) => ({
  plugins: [react(), splitWords(import.meta.dirname), ...(mode === 'mock' ? [mockBackend()] : [])],
  build: {
    outDir: isSsrBuild ? 'dist-ssr' : 'dist',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    copyPublicDir: !isSsrBuild,
    ...(!isSsrBuild && {
      rolldownOptions: {
        // The app; the card page, which alone loads the card provider's library; and the open pages' own code, which their documents (scripts/prerender.mjs) load when they are touched; the service worker (scripts/install.mjs).
        input: ['index.html', 'pay.html', 'src/app/open/client.tsx', 'src/app/open/loader.ts', 'src/shared/pwa/worker.ts'],
        preserveEntrySignatures: 'exports-only' as const,
        output: {
          codeSplitting: {
            groups: sharedFiles(import.meta.dirname),
          },
        },
      },
    }),
  },
  server: { proxy: mode === 'mock' ? {} : toServer },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'mock/**/*.test.ts'],
    setupFiles: ['src/testSetup.ts'],
    restoreMocks: true,
  },
}));

import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';
import { mockBackend } from './mock/plugin.ts';
import { sharedFiles } from './scripts/chunks.ts';

const toServer: Record<string, ProxyOptions | string> = { '/api': 'http://127.0.0.1:8080' };

export default defineConfig(({ mode }) => ({
  plugins: [react(), ...(mode === 'mock' ? [mockBackend()] : [])],
  build: {
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The app; the card page, which alone loads the card provider's library; the service worker (scripts/install.mjs).
      input: ['src/app/main.tsx', 'pay.html', 'src/shared/pwa/worker.ts'],
      preserveEntrySignatures: 'exports-only' as const,
      output: { codeSplitting: { groups: sharedFiles(import.meta.dirname) } },
    },
  },
  server: { proxy: mode === 'mock' ? {} : toServer },
}));

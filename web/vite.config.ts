import react from '@vitejs/plugin-react';
import type { ProxyOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import { mockBackend } from './mock/plugin.ts';
import { precompress } from './scripts/compress.ts';

const toServer: Record<string, ProxyOptions | string> = { '/api': 'http://127.0.0.1:8080' };

export default defineConfig(({ mode }) => ({
  plugins: [react(), precompress(), ...(mode === 'mock' ? [mockBackend()] : [])],
  build: { outDir: 'dist', emptyOutDir: true, manifest: true, target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: { proxy: mode === 'mock' ? {} : toServer },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'mock/**/*.test.ts'],
    setupFiles: ['src/lib/testSetup.ts'],
    restoreMocks: true,
  },
}));

// Builds the service worker as a classic script in one file. Its name has no checksum, because
// browsers always request the same name. It is built after the documents, because it contains the
// checksum of the offline page (src/pages/offline.astro).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const checksum = () => createHash('sha256').update(readFileSync('dist/documents/offline.html')).digest('hex').slice(0, 12);

export default defineConfig({
  plugins: [{ name: 'sooner:checksum', renderChunk: (code) => code.replace('__CHECKSUM__', checksum()) }],
  build: {
    target: 'es2022',
    emptyOutDir: false,
    copyPublicDir: false,
    rolldownOptions: { input: 'src/shared/pwa/worker.ts', output: { format: 'iife', entryFileNames: 'worker.js' } },
  },
});

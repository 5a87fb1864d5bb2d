// Builds the card page, which alone loads the library of the card provider. It shares no file with
// the app. Its document pay.html has its own head, because icons, manifest and theme colour have no
// effect within a frame. Its content security policy (crates/server/src/card/policy.rs) permits the
// provider, but no inline scripts.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: {
    manifest: '.vite/card.json',
    target: 'es2022',
    assetsInlineLimit: 0,
    emptyOutDir: false,
    copyPublicDir: false,
    rolldownOptions: { input: 'pay.html' },
  },
});

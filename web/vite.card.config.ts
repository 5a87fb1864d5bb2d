// Builds the card page, which alone loads the card provider's library. It shares no file with the
// app. Its document, pay.html, has a head of its own. Head.astro's icons, manifest and theme colour
// mean nothing within a frame, and come from an origin that the page should not use. Its policy
// (crates/server/src/card/policy.rs) names the provider and, unlike theirs, allows no inline
// script.
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

// The card page, which alone loads the card provider's library: it shares no file with the app.
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

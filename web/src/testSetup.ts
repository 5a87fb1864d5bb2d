import { afterEach } from 'vitest';

// jsdom has no media: no query holds, unless a test says so.
const noMedia = (media: string) => ({
  media,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});
if (typeof window !== 'undefined' && !window.matchMedia) window.matchMedia = noMedia as unknown as typeof window.matchMedia;

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

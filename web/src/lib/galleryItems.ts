import type { Words } from '../i18n/words.ts';

/** A picture of our own product; `src` is per language, made by `scripts/e2e.sh --tool gallery`. */
export interface GalleryItem {
  name: string;
  label: Words;
  text: Words;
}

/** The eight pictures under the feature list, in order. */
export const galleryItems: GalleryItem[] = [
  { name: 'booked', label: 'gallery.booked', text: 'gallery.bookedText' },
  { name: 'seen', label: 'gallery.seen', text: 'gallery.seenText' },
  { name: 'chart', label: 'gallery.chart', text: 'gallery.chartText' },
  { name: 'journal', label: 'gallery.journal', text: 'gallery.journalText' },
  { name: 'mail', label: 'gallery.mail', text: 'gallery.mailText' },
  { name: 'why', label: 'gallery.why', text: 'gallery.whyText' },
  { name: 'balance', label: 'gallery.balance', text: 'gallery.balanceText' },
  { name: 'account', label: 'gallery.account', text: 'gallery.accountText' },
];

/** Pixels of a picture; drawn at half of it. */
export const GALLERY_SIZE = { width: 1120, height: 760 } as const;

/** Where a picture lies. */
export function gallerySource(name: string, language: 'zh' | 'en'): string {
  return `/gallery/${name}-${language}.webp`;
}

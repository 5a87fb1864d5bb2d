import type { TextKey } from '../../shared/i18n/textKey.ts';

/**
 * Screenshot of the product: a detail for the tile, and the whole picture. `scripts/e2e.sh --tool
 * gallery` and `booking` create the files.
 */
interface GalleryItem {
  name: string;
  label: TextKey;
  text: TextKey;
  /** Background of the detail. */
  ground: 'plain' | 'soft' | 'deep';
  /** True if the picture shows money. It is omitted if the server charges nothing. */
  money?: boolean;
}

/** Pictures of the gallery, in order. */
export const galleryItems: GalleryItem[] = [
  { name: 'booked', label: 'gallery.booked', text: 'gallery.bookedText', ground: 'soft' },
  { name: 'seen', label: 'gallery.seen', text: 'gallery.seenText', ground: 'plain' },
  { name: 'chart', label: 'gallery.chart', text: 'gallery.chartText', ground: 'plain' },
  { name: 'journal', label: 'gallery.journal', text: 'gallery.journalText', ground: 'plain' },
  { name: 'mail', label: 'gallery.mail', text: 'gallery.mailText', ground: 'deep' },
  { name: 'why', label: 'gallery.why', text: 'gallery.whyText', ground: 'plain' },
  { name: 'balance', label: 'gallery.balance', text: 'gallery.balanceText', ground: 'plain', money: true },
  { name: 'account', label: 'gallery.account', text: 'gallery.accountText', ground: 'plain' },
];

/** Size of a whole picture in pixels. It is displayed at half that size. */
export const GALLERY_SIZE = { width: 960, height: 1080 } as const;

/** Returns the path of a picture file. */
export function gallerySource(name: string, language: 'zh' | 'en', part?: 'tile'): string {
  return `/gallery/${name}-${language}${part ? `-${part}` : ''}.webp`;
}

import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type TouchEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { VisuallyHidden } from '../../../shared/ui/Text.tsx';
import { fill } from '../../../shared/ui/UiTexts.tsx';
import { GALLERY_SIZE } from '../galleryItems.ts';
import styles from './Lightbox.module.css';

/** Minimum horizontal distance of a swipe. */
const SWIPE_PX = 48;

interface Props {
  slides: readonly { src: string; label: string }[];
  /** True if the pictures show demo data, which is then stated. */
  demo: boolean;
  /** Index of the picture to show first. */
  index: number;
  onClose: () => void;
}

/**
 * Renders the gallery in full size with buttons for the previous and next picture. Arrow keys and
 * swipes change the picture, and Escape closes the gallery. The code is a separate chunk.
 */
export function Lightbox({ slides, demo, index, onClose }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLDialogElement>(null);
  const touch = useRef(0);
  const [at, setAt] = useState(index);
  const count = slides.length;
  const before = (at + count - 1) % count;
  const after = (at + 1) % count;
  // The browser's dialog traps the focus, and returns it to the tile when it closes. It opens
  // before the first paint.
  useLayoutEffect(() => box.current?.showModal(), []);
  useEffect(() => {
    for (const next of [before, after]) new Image().src = slides[next]?.src ?? '';
  }, [before, after, slides]);
  const slide = slides[at];
  const close = () => box.current?.close();
  const beside = ({ target }: MouseEvent) => (target as Element).localName === 'figure' && close();
  const byKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') setAt(before);
    if (key === 'ArrowRight') setAt(after);
  };
  const bySwipe = ({ changedTouches }: TouchEvent) => {
    const way = (changedTouches[0]?.clientX ?? 0) - touch.current;
    if (Math.abs(way) > SWIPE_PX) setAt(way > 0 ? before : after);
  };
  return (
    <dialog ref={box} aria-label={t('gallery.title')} className={styles.box} onClose={onClose} onKeyDown={byKey} onClick={beside}>
      <figure
        className={styles.picture}
        onTouchStart={({ touches }) => {
          touch.current = touches[0]?.clientX ?? 0;
        }}
        onTouchEnd={bySwipe}
      >
        <img key={slide?.src} src={slide?.src} alt={slide?.label} {...(demo && GALLERY_SIZE)} />
        <figcaption>
          {slide?.label}
          {demo && ` · ${t('landing.demoData')}`}
        </figcaption>
      </figure>
      <p className={styles.counter} role="status">
        <span aria-hidden="true">{`${at + 1} / ${count}`}</span>
        <VisuallyHidden>{fill(t('gallery.counter'), { index: String(at + 1), total: String(count) })}</VisuallyHidden>
      </p>
      <button type="button" className={styles.close} aria-label={t('gallery.close')} onClick={close}>
        <Icon of={X} size={24} />
      </button>
      <button type="button" className={styles.previous} aria-label={t('gallery.previous')} onClick={() => setAt(before)}>
        <Icon of={ChevronLeft} size={32} />
      </button>
      <button type="button" className={styles.next} aria-label={t('gallery.next')} onClick={() => setAt(after)}>
        <Icon of={ChevronRight} size={32} />
      </button>
    </dialog>
  );
}

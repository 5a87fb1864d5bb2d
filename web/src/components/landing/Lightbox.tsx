import { useTranslation } from 'react-i18next';
import Slides from 'yet-another-react-lightbox';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import 'yet-another-react-lightbox/styles.css';
import 'yet-another-react-lightbox/plugins/counter.css';
import { GALLERY_SIZE } from '../../lib/galleryItems.ts';

interface Props {
  slides: readonly { src: string; label: string }[];
  /** Says that the pictures show demonstration data. */
  demo: boolean;
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
}

/** The gallery, large: previous, next, close, "n / total"; arrow keys and swipes move, Escape closes. A chunk of its own. */
export function Lightbox({ slides, demo, index, onMove, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Slides
      open
      close={onClose}
      index={index}
      on={{ view: ({ index: next }) => onMove(next) }}
      slides={slides.map((slide) => ({ src: slide.src, alt: slide.label, ...(demo && GALLERY_SIZE) }))}
      plugins={[Counter]}
      counter={{ container: { style: { top: 0, bottom: 'unset' } } }}
      controller={{ closeOnBackdropClick: true }}
      render={{
        slideFooter: ({ slide }) => (
          <p style={{ position: 'absolute', bottom: 0, width: '100%', padding: 16, textAlign: 'center' }}>
            {'alt' in slide ? slide.alt : ''}
            {demo && ` · ${t('landing.demoData')}`}
          </p>
        ),
      }}
      labels={{
        Lightbox: t('gallery.title'),
        Previous: t('gallery.previous'),
        Next: t('gallery.next'),
        Close: t('gallery.close'),
        '{index} of {total}': t('gallery.counter'),
      }}
    />
  );
}

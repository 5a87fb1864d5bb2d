import { useTranslation } from 'react-i18next';
import Slides from 'yet-another-react-lightbox';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import 'yet-another-react-lightbox/styles.css';
import 'yet-another-react-lightbox/plugins/counter.css';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { GALLERY_SIZE, galleryItems, gallerySource } from '../../lib/galleryItems.ts';

interface Props {
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
}

/** The gallery, large: previous, next, close, "n / total"; arrow keys move, Escape closes. A chunk of its own. */
export function Lightbox({ index, onMove, onClose }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Slides
      open
      close={onClose}
      index={index}
      on={{ view: ({ index: next }) => onMove(next) }}
      slides={galleryItems.map((item) => ({ src: gallerySource(item.name, language), alt: t(item.label), ...GALLERY_SIZE }))}
      plugins={[Counter]}
      counter={{ container: { style: { top: 0, bottom: 'unset' } } }}
      controller={{ closeOnBackdropClick: true }}
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

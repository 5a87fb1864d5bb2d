import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import Slides from 'yet-another-react-lightbox';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import 'yet-another-react-lightbox/styles.css';
import 'yet-another-react-lightbox/plugins/counter.css';
import { GALLERY_SIZE } from '../galleryItems.ts';

interface Props {
  slides: readonly { src: string; label: string }[];
  /** Says that the pictures show demonstration data. */
  demo: boolean;
  /** The first to be seen. */
  index: number;
  onClose: () => void;
}

/** The gallery, large: previous, next, close, "n / total"; arrow keys and swipes move, Escape closes. A chunk of its own. */
export function Lightbox({ slides, demo, index, onClose }: Props) {
  const { t } = useTranslation();
  // Others, or another first one, would put a person who has moved on back to it.
  const [pictures] = useState(() => slides.map((slide) => ({ src: slide.src, alt: slide.label, ...(demo && GALLERY_SIZE) })));
  return (
    <Slides
      open
      close={onClose}
      index={index}
      slides={pictures}
      plugins={[Counter]}
      counter={{ container: { style: { top: 0, bottom: 'unset' } } }}
      controller={{ closeOnBackdropClick: true }}
      render={{
        slideFooter: ({ slide }) => (
          <Typography
            variant="body2"
            sx={{ position: 'absolute', bottom: 0, width: '100%', p: 2, textAlign: 'center', color: 'common.white' }}
          >
            {'alt' in slide ? slide.alt : ''}
            {demo && ` · ${t('landing.demoData')}`}
          </Typography>
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

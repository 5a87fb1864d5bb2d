import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { GALLERY_SIZE, galleryItems, gallerySource } from '../../lib/galleryItems.ts';
import { Section } from './Section.tsx';

const Lightbox = lazy(async () => ({ default: (await import('./Lightbox.tsx')).Lightbox }));

/** Eight pictures of the product with the sandbox's data: tiles until each is there, and large when pressed. */
export function Gallery() {
  const { t } = useTranslation();
  const language = useLanguage();
  const [loaded, setLoaded] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<number | null>(null);
  return (
    <Section id="gallery" title={t('gallery.title')} lead={t('gallery.lead')}>
      <Box
        component="ul"
        sx={{
          display: 'grid',
          gap: { xs: 2, md: 3 },
          gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(3, 1fr)', md: 'repeat(4, 1fr)' },
        }}
      >
        {galleryItems.map((item, index) => {
          const src = gallerySource(item.name, language);
          const ready = loaded.has(src);
          return (
            <li key={item.name}>
              <ButtonBase
                onClick={() => setOpen(index)}
                aria-label={t('gallery.open', { label: t(item.label) })}
                sx={{
                  position: 'relative',
                  display: 'block',
                  width: '100%',
                  aspectRatio: `${GALLERY_SIZE.width} / ${GALLERY_SIZE.height}`,
                  borderRadius: '16px',
                  overflow: 'hidden',
                  border: 1,
                  borderColor: 'divider',
                  bgcolor: 'background.paper',
                  '&:hover': { borderColor: 'control' },
                  '&:focus-visible': { outlineOffset: 3 },
                }}
              >
                {!ready && <Skeleton variant="rectangular" width="100%" height="100%" sx={{ position: 'absolute', inset: 0 }} />}
                <Box
                  component="img"
                  src={src}
                  alt=""
                  loading="lazy"
                  decoding="async"
                  width={GALLERY_SIZE.width / 2}
                  height={GALLERY_SIZE.height / 2}
                  onLoad={() => setLoaded((before) => new Set(before).add(src))}
                  sx={{
                    width: '100%',
                    height: '100%',
                    objectFit: 'cover',
                    objectPosition: 'top left',
                    display: 'block',
                    opacity: ready ? 1 : 0,
                  }}
                />
              </ButtonBase>
              <Typography component="h3" sx={{ mt: 1.25, fontSize: 15, fontWeight: 600 }}>
                {t(item.label)}
              </Typography>
              <Typography variant="caption" component="p" color="textSecondary">
                {t(item.text)}
              </Typography>
            </li>
          );
        })}
      </Box>
      {open !== null && (
        <Suspense fallback={null}>
          <Lightbox index={open} onClose={() => setOpen(null)} onMove={setOpen} />
        </Suspense>
      )}
    </Section>
  );
}

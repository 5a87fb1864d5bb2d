import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Each, If, useKnownFacts, WhereBilled } from '../../../shared/api/facts.tsx';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { lazyComponent } from '../../../shared/pwa/lazyComponent.tsx';
import { galleryItems, gallerySource } from '../galleryItems.ts';
import styles from './Gallery.module.css';
import { Section } from './Section.tsx';
import { Tile } from './Tile.tsx';

const Lightbox = lazyComponent(async () => (await import('./Lightbox.tsx')).Lightbox);

/**
 * Renders screenshots with demo data, or the operator's own pictures. Each has a skeleton until it
 * loads, and opens in full size when pressed.
 */
export function Gallery() {
  const { t } = useTranslation();
  const language = useLanguage();
  const known = useKnownFacts();
  const own = known?.gallery;
  const [open, setOpen] = useState<number | null>(null);
  const ours = galleryItems.map((item) => ({ ...item, label: t(item.label), src: gallerySource(item.name, language) }));
  const shown = ours.filter((item) => !(item.money && known?.billing_off));
  const slides = own?.length ? own.map((item) => ({ src: item.src, label: item[language] })) : shown;
  return (
    <Section
      id="gallery"
      title={t('gallery.title')}
      lead={
        <>
          <If fact="pictures">{t('gallery.ownLead')}</If>
          <If not="pictures" otherwise>
            {t('gallery.lead')}
          </If>
        </>
      }
    >
      <ul className={styles.tiles}>
        <If fact="pictures">
          <Each>
            {(item, index) => <Tile src={item.src} label={item[language]} ground="whole" onOpen={() => setOpen(index)} />}
          </Each>
        </If>
        <If not="pictures" otherwise>
          {ours.map((item) => (
            <WhereBilled key={item.name} always={!item.money}>
              <Tile
                src={gallerySource(item.name, language, 'tile')}
                label={item.label}
                text={t(item.text)}
                ground={item.ground}
                onOpen={() => setOpen(shown.indexOf(item))}
              />
            </WhereBilled>
          ))}
        </If>
      </ul>
      {open !== null && (
        <Lightbox
          slides={slides}
          demo={!own?.length}
          index={open}
          onClose={() => setOpen(null)}
          onMissing={() => setOpen(null)}
        />
      )}
    </Section>
  );
}

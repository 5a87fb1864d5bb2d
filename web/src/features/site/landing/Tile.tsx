import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../../../shared/ui/classes.ts';
import styles from './Tile.module.css';

interface Props {
  src: string;
  label: string;
  text?: string;
  /** Background around the picture. `whole` removes the padding: the picture fills the tile. */
  ground: 'plain' | 'soft' | 'deep' | 'whole';
  onOpen: () => void;
}

/**
 * Renders one picture of the gallery. It loads when it is near the visible area, with a skeleton
 * until then.
 */
export function Tile({ src, label, text, ground, onOpen }: Props) {
  const { t } = useTranslation();
  const picture = useRef<HTMLImageElement>(null);
  const [ready, setReady] = useState(false);
  // The picture may have loaded before this code.
  useEffect(() => {
    if (picture.current?.complete && picture.current.naturalWidth > 0) setReady(true);
  }, []);
  return (
    <li className={styles.tile}>
      <button
        type="button"
        className={classes(styles.open, styles[ground])}
        onClick={onOpen}
        aria-label={t('gallery.open', { label })}
      >
        <span className={styles.shot}>
          {!ready && <span className={styles.bone} />}
          <img ref={picture} src={src} alt="" loading="lazy" decoding="async" onLoad={() => setReady(true)} />
        </span>
      </button>
      <h3>{label}</h3>
      {text && <p>{text}</p>}
    </li>
  );
}

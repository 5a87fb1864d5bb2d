import { useTranslation } from 'react-i18next';
import styles from './CitiesSection.module.css';

interface Props {
  name: string;
  rank: number;
  /** Remark below the name. */
  note?: string;
  seen?: string;
  onToggle: () => void;
}

/**
 * Renders the tile of one city. `rank` is its position in the order of preference, −1 if not
 * chosen.
 */
export function CityTile({ name, rank, note, seen, onToggle }: Props) {
  const { t } = useTranslation();
  const chosen = rank >= 0;
  return (
    <button type="button" aria-pressed={chosen} onClick={onToggle} className={styles.tile}>
      {name}
      <span className={styles.rank}>{chosen ? rank + 1 : null}</span>
      {note && <small className={styles.seen}>{note}</small>}
      {seen && <small className={styles.seen}>{t('editor.citySeen', { date: seen })}</small>}
    </button>
  );
}

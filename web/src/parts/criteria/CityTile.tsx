import { useTranslation } from 'react-i18next';
import styles from './CitiesSection.module.css';

interface Props {
  name: string;
  rank: number;
  seen?: string;
  onToggle: () => void;
}

/**
 * Renders the tile of one city. `rank` is its position in the order of preference, −1 if not
 * chosen.
 */
export function CityTile({ name, rank, seen, onToggle }: Props) {
  const { t } = useTranslation();
  const chosen = rank >= 0;
  return (
    <button type="button" aria-pressed={chosen} onClick={onToggle} className={styles.tile}>
      {name}
      <span className={styles.rank}>{chosen ? rank + 1 : null}</span>
      {seen && <small className={styles.seen}>{t('editor.citySeen', { date: seen })}</small>}
    </button>
  );
}

import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type DayRange, rangeDays } from '../../shared/format/excludedDates.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import styles from './ExcludedSection.module.css';

/** Renders one excluded date or range, with a button that removes it. */
export function ExcludedChip({ range, onRemove }: { range: DayRange; onRemove: () => void }) {
  const { t } = useTranslation();
  const days = rangeDays(range);
  const text = days === 1 ? range.start : t('unit.range', { start: range.start, end: range.end });
  return (
    <li className={styles.chip}>
      {text}
      {days > 1 && <small className={styles.days}>{t('unit.days', { count: days })}</small>}
      <IconButton label={t('editor.remove', { what: text })} onClick={onRemove}>
        <Icon of={X} size={16} />
      </IconButton>
    </li>
  );
}

import { useTranslation } from 'react-i18next';
import { readKind } from '../../parts/balance/movementKinds.ts';
import { kindTexts } from '../../parts/balance/movements.ts';
import type { MovementFilter, MovementKind } from '../../shared/api/money.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { DateField } from '../../shared/ui/DateField.tsx';
import { Select } from '../../shared/ui/Select.tsx';
import styles from './MovementFilters.module.css';

interface Props {
  filter: MovementFilter;
  /** Kinds of movements to choose from. */
  kinds: MovementKind[];
  onChange: (filter: MovementFilter) => void;
}

const ALL = 'all';

/** Renders the filter of movements: by kind, and by first and last date. */
export function MovementFilters({ filter, kinds, onChange }: Props) {
  const { t } = useTranslation();
  const put = (part: Partial<Record<keyof MovementFilter, string | null | undefined>>) =>
    onChange(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value)));
  return (
    <div className={styles.root}>
      <Select
        label={t('movements.kind')}
        value={filter.kind ?? ALL}
        options={[
          { value: ALL, label: t('movements.allKinds') },
          ...kinds.map((kind) => ({ value: kind as string, label: t(kindTexts(kind).name) as string })),
        ]}
        onChange={(kind) => put({ kind: readKind(kind) })}
        className={styles.kind}
      />
      <DateField label={t('movements.from')} value={filter.from ?? null} onChange={(from) => put({ from })} />
      <DateField label={t('movements.to')} value={filter.to ?? null} min={filter.from} onChange={(to) => put({ to })} />
      {Object.keys(filter).length > 0 && (
        <Button variant="text" onClick={() => onChange({})} className={styles.clear}>
          {t('movements.clear')}
        </Button>
      )}
    </div>
  );
}

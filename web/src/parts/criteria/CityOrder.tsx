import { ArrowDown, ArrowUp } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FoldButton } from '../../shared/ui/FoldButton.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import styles from './CityOrder.module.css';
import { swapped } from './swapped.ts';

interface Props {
  /** Chosen cities with their names, in order of preference. */
  cities: readonly { id: string; name: string }[];
  onChange: (ids: string[]) => void;
}

/** Renders the chosen cities with buttons that move them up and down. A button opens the list. */
export function CityOrder({ cities, onChange }: Props) {
  const { t } = useTranslation();
  const listId = useId();
  const [open, setOpen] = useState(false);
  const ids = cities.map(({ id }) => id);
  return (
    <div className={styles.root}>
      <FoldButton open={open} controls={listId} onToggle={() => setOpen(!open)}>
        {t('editor.changeOrder')}
      </FoldButton>
      <ol id={listId} hidden={!open} className={styles.list}>
        {cities.map(({ id, name }, at) => (
          <li key={id} className={styles.city}>
            <span>{`${at + 1}. ${name}`}</span>
            <IconButton
              label={t('editor.cityUp', { city: name })}
              disabled={at === 0}
              onClick={() => onChange(swapped(ids, at, at - 1))}
            >
              <Icon of={ArrowUp} />
            </IconButton>
            <IconButton
              label={t('editor.cityDown', { city: name })}
              disabled={at === cities.length - 1}
              onClick={() => onChange(swapped(ids, at, at + 1))}
            >
              <Icon of={ArrowDown} />
            </IconButton>
          </li>
        ))}
      </ol>
    </div>
  );
}

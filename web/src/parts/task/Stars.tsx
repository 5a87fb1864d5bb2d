import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { VisuallyHidden } from '../../shared/ui/Text.tsx';
import styles from './RatingPrompt.module.css';

const ALL = [1, 2, 3, 4, 5];

interface Props {
  name: string;
  labelledBy: string;
  value: number | null;
  disabled: boolean;
  onChange: (stars: number) => void;
}

/** Renders one to five stars as radio buttons. All stars up to the chosen one are filled. */
export function Stars({ name, labelledBy, value, disabled, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} className={styles.stars}>
      {ALL.map((count) => (
        <label key={count} className={classes(styles.star, value !== null && count <= value && styles.full)}>
          <input
            type="radio"
            name={name}
            value={count}
            checked={count === value}
            disabled={disabled}
            onChange={() => onChange(count)}
            className={styles.radio}
          />
          <Icon of={Star} size={24} />
          <VisuallyHidden>{t('rating.stars', { count })}</VisuallyHidden>
        </label>
      ))}
    </div>
  );
}

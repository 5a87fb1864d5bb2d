import { Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { chooseScheme, useScheme } from '../../shared/theme/scheme.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import styles from './ThemeSwitch.module.css';

/** Renders the switch between light and dark. */
export function ThemeSwitch() {
  const { t } = useTranslation();
  const dark = useScheme() === 'dark';
  return (
    <IconButton
      label={dark ? t('shell.toLight') : t('shell.toDark')}
      onClick={() => chooseScheme(dark ? 'light' : 'dark')}
      className={styles.root}
    >
      {/* Renders both icons, because a prerendered document does not know the theme. CSS hides
          one. */}
      <Icon of={Moon} />
      <Icon of={Sun} />
    </IconButton>
  );
}

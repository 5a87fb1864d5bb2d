import IconButton from '@mui/material/IconButton';
import { useColorScheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/Icon.tsx';

/** Light to dark and back. */
export function ThemeSwitch() {
  const { t } = useTranslation();
  const { mode, systemMode, setMode } = useColorScheme();
  const dark = (mode === 'system' ? systemMode : mode) === 'dark';
  return (
    <IconButton aria-label={dark ? t('shell.toLight') : t('shell.toDark')} onClick={() => setMode(dark ? 'light' : 'dark')}>
      <Icon name={dark ? 'sun' : 'moon'} />
    </IconButton>
  );
}

import { useColorScheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Glyph } from '../../ui/Glyph.tsx';
import { moon, sun } from '../../ui/headIcons.tsx';
import { RoundButton } from '../../ui/RoundButton.tsx';

/** Light to dark and back. */
export function ThemeSwitch() {
  const { t } = useTranslation();
  const { mode, systemMode, setMode } = useColorScheme();
  const dark = (mode === 'system' ? systemMode : mode) === 'dark';
  return (
    <RoundButton
      type="button"
      aria-label={dark ? t('shell.toLight') : t('shell.toDark')}
      onClick={() => setMode(dark ? 'light' : 'dark')}
    >
      <Glyph>{dark ? sun : moon}</Glyph>
    </RoundButton>
  );
}

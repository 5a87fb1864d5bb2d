import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Glyph } from '../../shared/legacy/Glyph.tsx';
import { moon, sun } from '../../shared/legacy/headIcons.tsx';
import { RoundButton } from '../../shared/legacy/RoundButton.tsx';
import { chooseScheme, useScheme } from '../../shared/theme/scheme.ts';

// Both pictures are there: which one is right, a document that was made ahead cannot know.
const Light = styled('span')({ '[data-theme="dark"] &': { display: 'none' } });
const Dark = styled('span')({ display: 'none', '[data-theme="dark"] &': { display: 'block' } });

/** Light to dark and back. */
export function ThemeSwitch() {
  const { t } = useTranslation();
  const dark = useScheme() === 'dark';
  return (
    <RoundButton
      type="button"
      aria-label={dark ? t('shell.toLight') : t('shell.toDark')}
      onClick={() => chooseScheme(dark ? 'light' : 'dark')}
    >
      <Light>
        <Glyph>{moon}</Glyph>
      </Light>
      <Dark>
        <Glyph>{sun}</Glyph>
      </Dark>
    </RoundButton>
  );
}

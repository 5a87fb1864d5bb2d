import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';

/** The first thing the keyboard meets: past the header to the content. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <Button href="#main" sx={{ position: 'absolute', left: 16, top: -80, zIndex: 1300, '&:focus': { top: 10 } }}>
      {t('shell.skip')}
    </Button>
  );
}

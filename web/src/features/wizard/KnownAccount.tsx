import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/hooks/useNow.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';

/** What was read from this account lately is still there: one may go on with it without signing in. */
export function KnownAccount({ readAtMs, onContinue }: { readAtMs: number; onContinue: () => void }) {
  const { t } = useTranslation();
  const minutes = Math.max(0, Math.floor((useNow(30_000) - readAtMs) / 60_000));
  return (
    <Notice
      tone="info"
      icon="clock"
      title={minutes === 0 ? t('wizard.haveReadNow') : t('wizard.haveRead', { count: minutes })}
      action={
        <Button variant="outlined" size="small" onClick={onContinue}>
          {t('wizard.goOn')}
        </Button>
      }
    >
      {t('wizard.haveReadText')}
    </Notice>
  );
}

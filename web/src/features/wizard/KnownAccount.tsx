import { Clock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { minutesBetween } from '../../shared/format/elapsed.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';

/**
 * Renders the notice that recent data of this portal account is cached, so that the user can
 * continue without a sign-in.
 */
export function KnownAccount({ readAtMs, onContinue }: { readAtMs: number; onContinue: () => void }) {
  const { t } = useTranslation();
  const minutes = minutesBetween(readAtMs, useNow(30_000));
  return (
    <Alert
      tone="info"
      icon={Clock}
      title={minutes === 0 ? t('wizard.haveReadNow') : t('wizard.haveRead', { count: minutes })}
      action={
        <Button variant="secondary" size="small" onClick={onContinue}>
          {t('wizard.goOn')}
        </Button>
      }
    >
      {t('wizard.haveReadText')}
    </Alert>
  );
}

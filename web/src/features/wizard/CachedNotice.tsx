import { Clock, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../shared/api/errors.ts';
import { minutesBetween } from '../../shared/format/elapsed.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { CountdownPill } from '../../shared/ui/CountdownPill.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './CachedNotice.module.css';
import { PasswordDialog, TakenDialog, VerifyOverlay } from './lazyParts.ts';
import type { Refresh } from './useRefresh.ts';
import { VerifyProblem } from './VerifyProblem.tsx';
import type { WizardDraft } from './wizardDraft.ts';

interface Props {
  draft: WizardDraft;
  readAtMs: number;
  refresh: Refresh;
  /** True while another operation of the step runs. */
  locked: boolean;
  /** True if the list is new. Its age is then not shown. */
  quiet: boolean;
  onOtherAccount: () => void;
}

/**
 * Renders the age of the list of appointments, with a button that signs in at the portal again.
 * After a reload of the page it asks for the password, which is never stored.
 */
export function CachedNotice({ draft, readAtMs, refresh, locked, quiet, onOtherAccount }: Props) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { asking, delayed, verify } = refresh;
  const minutes = minutesBetween(readAtMs, now);
  const taken = hasCode(verify.error, 'SCHEDULE_ALREADY_EXISTS') ? verify.error : null;
  const refused = hasCode(verify.error, 'PORTAL_CREDENTIALS_REJECTED');
  return (
    <div className={styles.stack}>
      {verify.busy && <VerifyOverlay progressId={verify.progressId} onCancel={verify.leave} />}
      {taken && <TakenDialog error={taken} onClose={verify.leave} onOtherAccount={onOtherAccount} />}
      {asking && (
        <PasswordDialog
          title={t('wizard.refreshTitle')}
          account={draft.username}
          failure={null}
          onClose={refresh.stopAsking}
          onMissing={refresh.stopAsking}
          onSubmit={refresh.withPassword}
        />
      )}
      <Alert
        tone={quiet ? 'quiet' : 'info'}
        icon={Clock}
        live="status"
        title={minutes === 0 ? t('wizard.readNow') : t('wizard.readAgo', { count: minutes })}
        action={
          delayed.phase === 'counting' ? (
            <CountdownPill
              small
              label={t('wizard.refreshIn', { count: Math.ceil(delayed.leftMs / 1000) })}
              undoLabel={t('task.undo')}
              leftMs={delayed.leftMs}
              totalMs={delayed.totalMs}
              onUndo={delayed.undo}
            />
          ) : (
            <Button
              variant="secondary"
              size="small"
              start={<Icon of={RefreshCw} size={16} />}
              disabled={locked || refresh.busy}
              onClick={refresh.ask}
            >
              {t('wizard.refresh')}
            </Button>
          )
        }
      >
        {t('wizard.readText')}
      </Alert>
      {verify.error && !taken && (
        <VerifyProblem error={verify.error} title={t('wizard.refreshFailed')} onRetry={refused ? undefined : refresh.ask} />
      )}
      {refused && (
        <Button variant="secondary" size="small" onClick={refresh.askAgain}>
          {t('wizard.refreshTitle')}
        </Button>
      )}
    </div>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { PasswordDialog } from '../../parts/portalAccount/PasswordDialog.tsx';
import { hasCode } from '../../shared/api/errors.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { CountdownPill } from '../../shared/ui/CountdownPill.tsx';
import { TakenDialog } from './TakenDialog.tsx';
import type { Refresh } from './useRefresh.ts';
import { VerifyOverlay } from './VerifyOverlay.tsx';
import { VerifyProblem } from './VerifyProblem.tsx';
import type { WizardDraft } from './wizardDraft.ts';

interface Props {
  draft: WizardDraft;
  readAtMs: number;
  refresh: Refresh;
  /** Something else of the step runs. */
  locked: boolean;
  onOtherAccount: () => void;
}

/** How old the list is, with a refresh that signs in again; after a reload it asks for the password, which is never stored. */
export function CachedNotice({ draft, readAtMs, refresh, locked, onOtherAccount }: Props) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { asking, delayed, verify } = refresh;
  const minutes = Math.max(0, Math.floor((now - readAtMs) / 60_000));
  const taken = hasCode(verify.error, 'SCHEDULE_ALREADY_EXISTS') ? verify.error : null;
  const refused = hasCode(verify.error, 'PORTAL_CREDENTIALS_REJECTED');
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {verify.busy && <VerifyOverlay progressId={verify.progressId} onCancel={verify.leave} />}
      {taken && <TakenDialog error={taken} onClose={verify.leave} onOtherAccount={onOtherAccount} />}
      {asking && (
        <PasswordDialog
          title={t('wizard.refreshTitle')}
          account={draft.username}
          failure={null}
          onClose={refresh.stopAsking}
          onSubmit={refresh.withPassword}
        />
      )}
      <Notice
        tone="info"
        icon="clock"
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
              variant="outlined"
              size="small"
              startIcon={<Icon name="refresh" size={16} />}
              disabled={locked || refresh.busy}
              onClick={refresh.ask}
            >
              {t('wizard.refresh')}
            </Button>
          )
        }
      >
        {t('wizard.readText')}
      </Notice>
      {verify.error && !taken && (
        <VerifyProblem error={verify.error} title={t('wizard.refreshFailed')} onRetry={refused ? undefined : refresh.ask} />
      )}
      {refused && (
        <Button variant="outlined" size="small" sx={{ justifySelf: 'start' }} onClick={refresh.askAgain}>
          {t('wizard.refreshTitle')}
        </Button>
      )}
    </Box>
  );
}

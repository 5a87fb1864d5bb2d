import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../api/errors.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { useNow } from '../../lib/useNow.ts';
import { heldPassword, type WizardDraft } from '../../lib/wizardDraft.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { useVerify } from './useVerify.ts';
import { VerifyOverlay } from './VerifyOverlay.tsx';

interface Props {
  draft: WizardDraft;
  readAtMs: number;
  onRefreshed: () => void;
}

/** How old the list is, with a refresh that signs in again; after a reload it asks for the password, which is never stored. */
export function CachedNotice({ draft, readAtMs, onRefreshed }: Props) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const [asking, setAsking] = useState(false);
  const verify = useVerify(draft.userId, () => {
    setAsking(false);
    onRefreshed();
  });
  const run = (password: string) => {
    heldPassword.value = password;
    verify.mutate({
      credentials: { username: draft.username.trim(), password, countryCode: draft.countryCode, visaType: draft.visaType },
      force: true,
    });
  };
  const minutes = Math.max(0, Math.floor((now - readAtMs) / 60_000));
  const failure = verify.isError
    ? hasCode(verify.error, 'NO_APPOINTMENTS')
      ? 'verify.none'
      : errorWords(verify.error, 'verify.check')
    : null;
  return (
    <>
      {verify.isPending && <VerifyOverlay onCancel={() => verify.reset()} />}
      {asking && (
        <PasswordDialog
          title={t('wizard.refreshTitle')}
          account={draft.username}
          failure={failure}
          onClose={() => setAsking(false)}
          onSubmit={run}
        />
      )}
      <Notice
        tone="info"
        icon="clock"
        live="status"
        title={minutes === 0 ? t('wizard.readNow') : t('wizard.readAgo', { count: minutes })}
        action={
          <Button
            variant="outlined"
            size="small"
            startIcon={<Icon name="refresh" size={16} />}
            onClick={() => (heldPassword.value ? run(heldPassword.value) : setAsking(true))}
          >
            {t('wizard.refresh')}
          </Button>
        }
      >
        {failure && !asking ? t(failure) : t('wizard.readText')}
      </Notice>
    </>
  );
}

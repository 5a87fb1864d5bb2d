import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasCode } from '../../shared/api/errors.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { CountryFields } from './CountryFields.tsx';
import { KnownAccount } from './KnownAccount.tsx';
import { TakenDialog } from './TakenDialog.tsx';
import { useVerify } from './useVerify.ts';
import { VerifyOverlay } from './VerifyOverlay.tsx';
import { VerifyProblem } from './VerifyProblem.tsx';
import type { CachedVerification } from './verifyCache.ts';
import { WizardBar } from './WizardBar.tsx';
import { heldPassword, type WizardDraft } from './wizardDraft.ts';

interface Props {
  draft: WizardDraft;
  /** What was read from this account less than 30 minutes ago. */
  cached: CachedVerification | null;
  expired: boolean;
  onChange: (part: Partial<WizardDraft>) => void;
  onVerified: () => void;
}

/** Another account has other groups: what was chosen of the old one means nothing there. */
const fresh = { selected: [], configured: [] };

/** Step 1: sign in at the portal. A cached answer younger than 30 minutes spares a sign-in. */
export function StepPortal({ draft, cached, expired, onChange, onVerified }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const verify = useVerify(draft.userId, onVerified);
  const { username, countryCode, visaType } = draft;
  const incomplete = !username.trim() || !password;
  const start = () => {
    setAsked(true);
    if (incomplete) return;
    heldPassword.value = password;
    if (cached) onVerified();
    else verify.start({ username: username.trim(), password, countryCode, visaType }, false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start();
  };
  const otherAccount = () => {
    verify.leave();
    setPassword('');
    setAsked(false);
    onChange({ username: '', ...fresh });
  };
  const taken = hasCode(verify.error, 'SCHEDULE_ALREADY_EXISTS') ? verify.error : null;
  return (
    <Card component="form" noValidate onSubmit={submit}>
      {verify.busy && <VerifyOverlay progressId={verify.progressId} onCancel={verify.leave} />}
      {taken && <TakenDialog error={taken} onClose={verify.leave} onOtherAccount={otherAccount} />}
      <Box sx={{ p: { xs: 2, md: 3 }, display: 'grid', gap: 2, maxWidth: 640 }}>
        <Typography variant="h6" component="h2">
          {t('portal.title')}
        </Typography>
        {expired && (
          <Notice tone="info" icon="clock" live="status">
            {t('portal.expired')}
          </Notice>
        )}
        {cached && <KnownAccount readAtMs={cached.readAtMs} onContinue={onVerified} />}
        {verify.error && !taken && <VerifyProblem error={verify.error} title={t('verify.failed')} onRetry={start} />}
        {asked && incomplete && (
          <Notice tone="warning" live="alert">
            {t('portal.complete')}
          </Notice>
        )}
        <Field
          label={t('portal.username')}
          name="portal-username"
          autoComplete="off"
          value={username}
          onChange={(event) => onChange({ username: event.target.value, ...fresh })}
          hint={t('portal.usernameHint')}
          // A phone would begin it with a capital letter, and there is one try.
          inputProps={{ inputMode: 'email', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }}
        />
        <PasswordField
          label={t('portal.password')}
          name="portal-password"
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          after={<KeptSafe />}
        />
        <CountryFields
          countryCode={countryCode}
          visaType={visaType}
          onCountry={(code) => onChange({ countryCode: code, ...fresh })}
          onVisaType={(type) => onChange({ visaType: type, ...fresh })}
        />
      </Box>
      <WizardBar>
        <Button type="submit" endIcon={<Icon name="arrowRight" size={18} />} disabled={verify.busy}>
          {t('portal.verify')}
        </Button>
      </WizardBar>
    </Card>
  );
}

function KeptSafe() {
  const { t } = useTranslation();
  return (
    <Box
      sx={{ display: 'flex', gap: 1, mt: 1, fontSize: 13, lineHeight: 1.55, color: 'text.secondary', '& > svg': { mt: '2px' } }}
    >
      <Icon name="shield" size={16} />
      <span>
        {t('portal.safe')} <Link to={paths.privacy}>{t('portal.howKept')}</Link>
      </span>
    </Box>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type ApiError, hasCode } from '../../api/errors.ts';
import { errorWords } from '../../lib/errorWords.ts';
import { readVerification } from '../../lib/verifyCache.ts';
import { heldPassword, type WizardDraft } from '../../lib/wizardDraft.ts';
import { paths } from '../../routes/paths.ts';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { CountryFields } from './CountryFields.tsx';
import { TakenDialog } from './TakenDialog.tsx';
import { useVerify } from './useVerify.ts';
import { VerifyOverlay } from './VerifyOverlay.tsx';
import { WizardBar } from './WizardBar.tsx';

interface Props {
  draft: WizardDraft;
  expired: boolean;
  onChange: (part: Partial<WizardDraft>) => void;
  onVerified: () => void;
}

/** Step 1: sign in at the portal. A cached answer younger than 30 minutes spares a sign-in. */
export function StepPortal({ draft, expired, onChange, onVerified }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState(false);
  const cancelled = useRef(false);
  const verify = useVerify(draft.userId, () => {
    if (!cancelled.current) onVerified();
  });
  const incomplete = !draft.username.trim() || !password;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (incomplete) return;
    const credentials = { username: draft.username.trim(), password, countryCode: draft.countryCode, visaType: draft.visaType };
    heldPassword.value = password;
    onChange({ selected: [], configured: [] });
    if (readVerification({ userId: draft.userId, ...credentials }, Date.now())) {
      onVerified();
      return;
    }
    cancelled.current = false;
    verify.mutate({ credentials, force: false });
  };
  const cancel = () => {
    cancelled.current = true;
    verify.reset();
  };
  const taken = hasCode(verify.error, 'SCHEDULE_ALREADY_EXISTS');
  return (
    <Card component="form" noValidate onSubmit={submit}>
      {verify.isPending && !cancelled.current && <VerifyOverlay onCancel={cancel} />}
      {taken && <TakenDialog error={verify.error as ApiError} onClose={() => verify.reset()} onRetry={() => verify.reset()} />}
      <Box sx={{ p: { xs: 2, md: 3 }, display: 'grid', gap: 2, maxWidth: 640 }}>
        <Typography variant="h6" component="h2">
          {t('portal.title')}
        </Typography>
        {expired && (
          <Notice tone="info" icon="clock">
            {t('portal.expired')}
          </Notice>
        )}
        {hasCode(verify.error, 'NO_APPOINTMENTS') && (
          <Notice tone="warning" live="alert" title={t('verify.noneTitle')}>
            {t('verify.noneText')}
          </Notice>
        )}
        {verify.isError && !taken && !hasCode(verify.error, 'NO_APPOINTMENTS') && (
          <Notice tone="error" title={t('verify.failed')}>
            {t(errorWords(verify.error, 'verify.check'))}
          </Notice>
        )}
        {asked && incomplete && (
          <Notice tone="warning" live="alert">
            {t('portal.complete')}
          </Notice>
        )}
        <Field
          label={t('portal.username')}
          name="portal-username"
          autoComplete="off"
          value={draft.username}
          onChange={(event) => onChange({ username: event.target.value })}
          hint={t('portal.usernameHint')}
        />
        <PasswordField
          label={t('portal.password')}
          name="portal-password"
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          after={
            <Box
              sx={{
                display: 'flex',
                gap: 1,
                mt: 1,
                fontSize: 13,
                lineHeight: 1.55,
                color: 'text.secondary',
                '& > svg': { mt: '2px' },
              }}
            >
              <Icon name="shield" size={16} />
              <span>
                {t('portal.safe')} <Link to={paths.privacy}>{t('portal.howKept')}</Link>
              </span>
            </Box>
          }
        />
        <CountryFields
          countryCode={draft.countryCode}
          visaType={draft.visaType}
          onCountry={(countryCode) => onChange({ countryCode })}
          onVisaType={(visaType) => onChange({ visaType })}
        />
      </Box>
      <WizardBar>
        <Button type="submit" endIcon={<Icon name="arrowRight" size={18} />} disabled={verify.isPending}>
          {t('portal.verify')}
        </Button>
      </WizardBar>
    </Card>
  );
}

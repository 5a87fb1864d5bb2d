import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { AddressForm } from './AddressForm.tsx';
import { AuthCard } from './AuthCard.tsx';
import { useForgotForm } from './useForgotForm.ts';

/** /auth/forgot-password: the form, then the view that says what was sent. The answer is the same for any address. */
export function ForgotPasswordPage() {
  const forgot = useForgotForm();
  return forgot.sentTo === null ? <AskView forgot={forgot} /> : <SentView forgot={forgot} sentTo={forgot.sentTo} />;
}

type Forgot = ReturnType<typeof useForgotForm>;

function AskView({ forgot }: { forgot: Forgot }) {
  const { t } = useTranslation();
  const mails = useMethods()?.mail !== false;
  return (
    <AuthCard title={t('auth.forgotTitle')} lead={t('auth.forgotLead')}>
      <AddressForm asked={forgot} fallback="auth.forgotFailed" button="auth.forgotButton">
        {!mails && <Notice tone="warning">{t('auth.noMail')}</Notice>}
      </AddressForm>
    </AuthCard>
  );
}

function SentView({ forgot, sentTo }: { forgot: Forgot; sentTo: string }) {
  const { t } = useTranslation();
  const { sendAgain, startOver, sending, error, repeated, againInSeconds } = forgot;
  return (
    <AuthCard title={t('auth.forgotSentTitle')} arrived picture="mail">
      <FormBox
        onSubmit={(event) => {
          event.preventDefault();
          return sendAgain();
        }}
      >
        <Notice tone="ok" live="status" icon="mail">
          {repeated && t('auth.forgotAgainDone')} {t('auth.forgotSentText', { email: sentTo })}
        </Notice>
        <Problem error={error} fallback="auth.forgotFailed" />
        <Typography variant="body2" color="textSecondary">
          {t('auth.forgotSpam')}
        </Typography>
        <Button component={Link} to={paths.login} fullWidth>
          {t('auth.backToSignIn')}
        </Button>
        <Button
          type="submit"
          variant="outlined"
          fullWidth
          loading={sending}
          disabled={sending || againInSeconds > 0}
          sx={{ fontVariantNumeric: 'tabular-nums' }}
        >
          {againInSeconds > 0 ? t('auth.forgotAgainIn', { count: againInSeconds }) : t('auth.forgotAgain')}
        </Button>
        <FormLinks hidden={sending}>
          <Button variant="text" size="small" onClick={startOver} sx={{ px: 0 }}>
            {t('auth.forgotOther')}
          </Button>
        </FormLinks>
      </FormBox>
    </AuthCard>
  );
}

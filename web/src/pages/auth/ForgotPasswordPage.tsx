import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useMethods } from '../../api/methods.ts';
import { AddressForm } from '../../components/auth/AddressForm.tsx';
import { AuthCard } from '../../components/auth/AuthCard.tsx';
import { FormBox, FormLinks } from '../../components/auth/FormBox.tsx';
import { Problem } from '../../components/auth/Problem.tsx';
import { useForgotForm } from '../../forms/useForgotForm.ts';
import { paths } from '../../routes/paths.ts';
import { Notice } from '../../ui/Notice.tsx';

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

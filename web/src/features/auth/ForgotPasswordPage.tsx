import { Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { usePageMessage } from '../../shared/hooks/usePageMessage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { AddressForm } from './AddressForm.tsx';
import { AuthCard } from './AuthCard.tsx';
import styles from './steps.module.css';
import { useForgotForm } from './useForgotForm.ts';

/**
 * Renders /auth/forgot-password: the form, then a confirmation. The confirmation is the same for
 * every address, so that it does not reveal accounts.
 */
export function ForgotPasswordPage() {
  const forgot = useForgotForm(usePageMessage()?.email);
  return forgot.sentTo === null ? <RequestView forgot={forgot} /> : <SentView forgot={forgot} sentTo={forgot.sentTo} />;
}

type Forgot = ReturnType<typeof useForgotForm>;

function RequestView({ forgot }: { forgot: Forgot }) {
  const { t } = useTranslation();
  const mails = useMethods()?.mail !== false;
  return (
    <AuthCard title={t('auth.forgotTitle')} lead={t('auth.forgotLead')}>
      <AddressForm asked={forgot} fallback="auth.forgotFailed" button="auth.forgotButton">
        {!mails && <Alert tone="warning">{t('auth.noMail')}</Alert>}
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
        <Alert tone="ok" live="status" icon={Mail}>
          {repeated && t('auth.forgotAgainDone')} {t('auth.forgotSentText', { email: sentTo })}
        </Alert>
        <Problem error={error} fallback="auth.forgotFailed" />
        <Text variant="small" color="secondary">
          {t('auth.forgotSpam')}
        </Text>
        <ButtonLink wide render={<Link to={paths.login} />}>
          {t('auth.backToSignIn')}
        </ButtonLink>
        <Button
          type="submit"
          variant="secondary"
          wide
          loading={sending}
          disabled={againInSeconds > 0}
          className={styles.counting}
        >
          {againInSeconds > 0 ? t('auth.forgotAgainIn', { count: againInSeconds }) : t('auth.forgotAgain')}
        </Button>
        <FormLinks hidden={sending}>
          <Button variant="text" size="small" onClick={startOver} className={styles.link}>
            {t('auth.forgotOther')}
          </Button>
        </FormLinks>
      </FormBox>
    </AuthCard>
  );
}

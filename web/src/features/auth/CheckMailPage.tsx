import { Mail } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import { storedAddress } from '../../shared/browser/storedAddress.ts';
import { useNext } from '../../shared/hooks/useNext.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { AuthCard } from './AuthCard.tsx';
import styles from './CheckMailPage.module.css';
import { mailboxOf } from './mailboxes.ts';
import { useSendAgain } from './useSendAgain.ts';

/**
 * Renders /auth/check-mail, which follows a registration: the address, and what to do there. The
 * page is the same for known and unknown addresses. This browser stored the address, so a reload
 * keeps it.
 */
export function CheckMailPage() {
  const { t } = useTranslation();
  const next = useNext();
  // Not in the first render, because a prerendered document does not know the address.
  const [email, setEmail] = useState<string | null>();
  useEffect(() => setEmail(storedAddress()), []);
  return (
    <AuthCard title={t('auth.checkMailTitle')} picture="mail" aside="new">
      {email && <Sent email={email} />}
      {email === null && (
        <>
          <Text variant="small" color="secondary" className={styles.unknown}>
            {t('auth.checkMailUnknown')}
          </Text>
          <ButtonLink wide variant="secondary" render={<Link to={next(paths.resend)} />}>
            {t('auth.resendTitle')}
          </ButtonLink>
          <FormLinks>
            <Link to={next(paths.login)}>{t('auth.backToSignIn')}</Link>
          </FormLinks>
        </>
      )}
    </AuthCard>
  );
}

function Sent({ email }: { email: string }) {
  const { t } = useTranslation();
  const next = useNext();
  const { sendAgain, againInSeconds, sending, done, error } = useSendAgain();
  const mailbox = mailboxOf(email);
  const remember = () => storePageMessage({ email });
  return (
    <FormBox
      onSubmit={(event) => {
        event.preventDefault();
        return sendAgain(email);
      }}
    >
      <div>
        <Text variant="strong" className={styles.address}>
          {email}
        </Text>
        <Text variant="small" color="secondary">
          {t('auth.checkMailText')}
        </Text>
      </div>
      {done && (
        <Alert tone="ok" live="status" icon={Mail}>
          {t('auth.resendDone')}
        </Alert>
      )}
      <Problem error={error} fallback="auth.resendFailed" />
      {mailbox && (
        <ButtonLink
          wide
          href={`https://${mailbox}`}
          target="_blank"
          rel="noopener noreferrer"
          start={<Icon of={Mail} size={18} />}
        >
          {t('auth.openMail', { site: mailbox })}
        </ButtonLink>
      )}
      <Button type="submit" variant="secondary" wide loading={sending} disabled={againInSeconds > 0} className={styles.counting}>
        {againInSeconds > 0 ? t('auth.forgotAgainIn', { count: againInSeconds }) : t('auth.forgotAgain')}
      </Button>
      <Text variant="caption" color="secondary">
        {t('auth.checkMailSpam')}
      </Text>
      <FormLinks>
        <Link to={next(paths.register)} onClick={remember}>
          {t('auth.changeAddress')}
        </Link>
        <Link to={next(paths.login)} onClick={remember}>
          {t('auth.backToSignIn')}
        </Link>
      </FormLinks>
    </FormBox>
  );
}

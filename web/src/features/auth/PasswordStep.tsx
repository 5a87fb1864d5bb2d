import { KeyRound } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { GoogleButton } from '../../parts/account/GoogleButton.tsx';
import { RegistrationNote } from '../../parts/account/RegistrationNote.tsx';
import { If, WhereClosed, WhereOpen } from '../../shared/api/facts.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import { hasPasskeys } from '../../shared/browser/passkey.ts';
import { useAlive } from '../../shared/hooks/useAlive.ts';
import { useNext } from '../../shared/hooks/useNext.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { loginErrorText } from './errorText.ts';
import styles from './steps.module.css';
import type { useLoginForm } from './useLoginForm.ts';
import { useOwnLink } from './useOwnLink.ts';

const never = () => () => undefined;

interface OtherWaysProps {
  login: ReturnType<typeof useLoginForm>;
  passAddress: () => void;
}

/** Renders the ways to sign in without a password: a passkey, and a mailed link. */
function OtherWays({ login, passAddress }: OtherWaysProps) {
  const { t } = useTranslation();
  const next = useNext();
  const methods = useMethods();
  // A prerendered document does not know in which browser it opens.
  const supported = useSyncExternalStore(never, hasPasskeys, () => false);
  const { form, passkey, busy } = login;
  return (
    <>
      <If fact="passkeys" otherwise={methods?.passkeys === true}>
        {supported && (
          <>
            <Problem error={passkey.error} fallback="auth.loginFailed" />
            <Button
              variant="secondary"
              wide
              start={<Icon of={KeyRound} />}
              loading={passkey.sending}
              disabled={busy}
              onClick={() => passkey.submit(form.getValues('rememberMe'))}
            >
              {t('auth.passkey')}
            </Button>
          </>
        )}
      </If>
      <If fact="mail" otherwise={methods?.mail === true}>
        <FormLinks>
          <Link to={next(paths.signInLink)} onClick={passAddress}>
            {t('auth.mailLink')}
          </Link>
        </FormLinks>
      </If>
    </>
  );
}

/** Renders the first step of a sign-in: Google, or mail address and password. */
export function PasswordStep({ login, notice }: { login: ReturnType<typeof useLoginForm>; notice: ReactNode }) {
  const { t } = useTranslation();
  const next = useNext();
  const alive = useAlive();
  const known = useMethods()?.registration ?? 'open';
  const hasLink = useOwnLink();
  const { form, submit, sending, done, error, busy } = login;
  const { errors, isValid } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as TextKey) : undefined);
  // Passes the typed address to the next page, so that the user need not type it again.
  const passAddress = () => storePageMessage({ email: form.getValues('username').trim() });
  const unproven = error !== null && loginErrorText(error) === 'problem.notVerified';
  return (
    <>
      {notice && <div className={styles.notice}>{notice}</div>}
      <GoogleButton disabled={busy} rememberMe={() => form.getValues('rememberMe')} />
      <FormBox onSubmit={submit}>
        <TextField
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          disabled={busy}
          error={message(errors.username?.message)}
          {...form.register('username')}
        />
        <PasswordField
          label={t('auth.password')}
          autoComplete="current-password"
          disabled={busy}
          error={message(errors.password?.message)}
          aside={
            <Link to={next(paths.forgot)} onClick={passAddress}>
              {t('auth.forgotLink')}
            </Link>
          }
          {...form.register('password')}
        />
        <Checkbox label={t('auth.rememberMe')} disabled={busy} className={styles.remember} {...form.register('rememberMe')} />
        {done && (
          <Alert tone="ok" live="status">
            {t('auth.loginDone')}
          </Alert>
        )}
        <Problem error={error} fallback="auth.loginFailed" texts={loginErrorText}>
          {unproven && (
            <Link to={next(paths.resend)} onClick={passAddress}>
              {t('auth.resendLink')}
            </Link>
          )}
        </Problem>
        {/* Before the page is interactive, its code does not know the field values, so the
            button is enabled. A press is repeated once the code runs. */}
        <Button type="submit" wide loading={sending} disabled={busy || (alive && !isValid)}>
          {t('auth.signInButton')}
        </Button>
        <OtherWays login={login} passAddress={passAddress} />
        <FormLinks>
          <WhereOpen otherwise={known === 'open'}>
            <span>
              {t('auth.noAccount')} <Link to={next(paths.register)}>{t('auth.registerHere')}</Link>
            </span>
          </WhereOpen>
          <WhereClosed otherwise={known !== 'open'}>
            <span>
              <RegistrationNote known={known} />
            </span>
          </WhereClosed>
          {hasLink && <span>{t('auth.ownLink')}</span>}
        </FormLinks>
      </FormBox>
    </>
  );
}

import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../shared/api/errors.ts';
import { useKnownFacts, WhereBilled } from '../../shared/api/facts.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import { useNext } from '../../shared/hooks/useNext.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { AcceptTerms } from './AcceptTerms.tsx';
import { FormBox, FormLinks } from './FormBox.tsx';
import { GoogleButton } from './GoogleButton.tsx';
import { ReferralField } from './ReferralField.tsx';
import { referralAtHand } from './referral.ts';
import { StrengthMeter } from './StrengthMeter.tsx';
import { useRegisterForm } from './useRegisterForm.ts';

interface Props {
  /** Time in ms for which the success message is shown before `onDone` is called. */
  delayMs: number;
  /** Mail address that the previous page passed on. */
  email?: string;
  /** Called with the path of the page that follows. */
  onDone: (path: string) => void;
}

/** Scrolls to the result, which may be below the visible part of a phone's screen. */
const showWhole = (element: HTMLElement | null) => element?.scrollIntoView?.({ block: 'nearest' });

/** Renders the registration form. The registration page and the landing page use it. */
export function RegisterFields({ delayMs, email: known, onDone }: Props) {
  const { t } = useTranslation();
  const next = useNext();
  // Runs after the first render, because a prerendered document does not know its address.
  const [referral, setReferral] = useState('');
  const free = useKnownFacts()?.billing_off !== undefined;
  useEffect(() => setReferral(free ? '' : referralAtHand(window.location.search)), [free]);
  const mails = useMethods()?.mail !== false;
  const follow = (email: string) => {
    // Without mail there is nothing to open, and the user can sign in.
    if (!mails) storePageMessage({ registered: email });
    onDone(mails ? paths.checkMail : paths.login);
  };
  const { form, submit, password, email, sending, done, error, busy } = useRegisterForm({
    language: useLanguage(),
    referral,
    known,
    delayMs,
    onDone: follow,
  });
  const { errors } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as TextKey) : undefined);
  if (hasCode(error, 'REGISTRATION_CLOSED'))
    return (
      <Alert tone="info" live="alert">
        {t('problem.registrationClosed')} <Link to={next(paths.login)}>{t('auth.signInHere')}</Link>
      </Alert>
    );
  return (
    <>
      <GoogleButton disabled={busy} rememberMe={() => false} />
      <FormBox onSubmit={submit}>
        <TextField
          label={t('auth.email')}
          type="email"
          autoComplete="email"
          disabled={busy}
          placeholder={t('auth.emailExample')}
          hint={t('auth.emailIsUsername')}
          error={message(errors.email?.message)}
          {...form.register('email')}
        />
        <PasswordField
          label={t('auth.password')}
          autoComplete="new-password"
          placeholder={t('auth.needLength')}
          hint={!password && t('auth.passwordClasses')}
          disabled={busy}
          error={message(errors.password?.message)}
          after={<StrengthMeter password={password} email={email} refused={errors.password !== undefined} />}
          {...form.register('password')}
        />
        <PasswordField
          label={t('auth.confirmPassword')}
          autoComplete="new-password"
          placeholder={t('auth.onceMore')}
          disabled={busy}
          error={message(errors.confirmPassword?.message)}
          {...form.register('confirmPassword')}
        />
        <WhereBilled>
          <ReferralField value={referral} disabled={busy} onChange={setReferral} />
        </WhereBilled>
        {done && (
          <div ref={showWhole}>
            <Alert tone="ok" live="status" title={t('auth.registered')}>
              {t(mails ? 'auth.registeredText' : 'auth.registeredNoMail', { email: form.getValues('email') })}
            </Alert>
          </div>
        )}
        <Problem error={error} fallback="auth.registerFailed" />
        <Button type="submit" wide loading={sending} disabled={busy}>
          {t('auth.registerButton')}
        </Button>
        <AcceptTerms />
        <FormLinks>
          <span>
            {t('auth.haveAccount')} <Link to={next(paths.login)}>{t('auth.signInHere')}</Link>
          </span>
        </FormLinks>
      </FormBox>
    </>
  );
}

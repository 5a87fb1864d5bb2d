import { Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CodeForm } from '../../parts/account/CodeForm.tsx';
import { FormBox, FormLinks } from '../../parts/account/FormBox.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { useNext } from '../../shared/hooks/useNext.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { MailedLink } from './MailedLink.tsx';
import { OwnCard } from './OwnCard.tsx';
import { useLinkSignIn } from './useLinkSignIn.ts';
import { useSignInLinkForm } from './useSignInLinkForm.ts';

/**
 * Renders /auth/sign-in: the request for a sign-in link, and with ?token= the page of such a link.
 */
export function SignInLinkCard() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const signIn = useLinkSignIn();
  const token = search.get('token')?.trim();
  if (signIn.needsCode)
    return (
      <OwnCard title={t('auth.totpTitle')} lead={t('problem.totpNeeded')}>
        <CodeForm send={signIn.sendCode}>
          <ToSignIn />
        </CodeForm>
      </OwnCard>
    );
  return token === undefined ? <Request signIn={signIn} /> : <MailedLink token={token} signIn={signIn} />;
}

function ToSignIn() {
  const { t } = useTranslation();
  const next = useNext();
  return <Link to={next(paths.login)}>{t('auth.backToSignIn')}</Link>;
}

function Request({ signIn }: { signIn: ReturnType<typeof useLinkSignIn> }) {
  const request = useSignInLinkForm();
  return request.sentTo === null ? (
    <AddressStep request={request} tooLate={signIn.tooLate} />
  ) : (
    <SentStep request={request} sentTo={request.sentTo} signIn={signIn} />
  );
}

type SignInLinkForm = ReturnType<typeof useSignInLinkForm>;

interface AddressProps {
  request: SignInLinkForm;
  /** True if an earlier sign-in took too long at the second factor. */
  tooLate: boolean;
}

function AddressStep({ request: { form, submit, sending, error }, tooLate }: AddressProps) {
  const { t } = useTranslation();
  const mails = useMethods()?.mail !== false;
  const problem = form.formState.errors.email?.message;
  return (
    <OwnCard title={t('signInLink.title')} lead={t('signInLink.lead')}>
      {tooLate && <Alert tone="error">{t('signInLink.tooLate')}</Alert>}
      {!mails && <Alert tone="warning">{t('signInLink.noMail')}</Alert>}
      <FormBox onSubmit={submit}>
        <Problem error={error} fallback="signInLink.failed" />
        <TextField
          label={t('auth.email')}
          type="email"
          autoComplete="username"
          disabled={sending}
          error={problem ? t(problem as TextKey) : undefined}
          {...form.register('email')}
        />
        <Checkbox label={t('auth.rememberMe')} disabled={sending} {...form.register('rememberMe')} />
        <Button type="submit" wide loading={sending} disabled={!mails}>
          {t('signInLink.button')}
        </Button>
        <FormLinks>
          <ToSignIn />
        </FormLinks>
      </FormBox>
    </OwnCard>
  );
}

interface SentProps {
  request: SignInLinkForm;
  sentTo: string;
  signIn: ReturnType<typeof useLinkSignIn>;
}

/** Renders what to do next: open the link here, or type the code that it shows elsewhere. */
function SentStep({ request, sentTo, signIn }: SentProps) {
  const { t } = useTranslation();
  const { error, sending, againInSeconds, sendAgain, startOver } = request;
  const { codeForm, sendLinkCode } = signIn;
  const problem = codeForm.formState.errors.code?.message;
  return (
    <OwnCard title={t('signInLink.sentTitle')} lead={t('signInLink.elsewhere')}>
      <Alert tone="ok" live="status" icon={Mail}>
        {t('signInLink.sentText', { email: sentTo })}
      </Alert>
      <FormBox onSubmit={sendLinkCode}>
        <Problem error={error ?? signIn.error} fallback="signInLink.failed" />
        <TextField
          code
          label={t('signInLink.code')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={32}
          disabled={signIn.busy}
          error={problem ? t(problem as TextKey) : undefined}
          {...codeForm.register('code')}
        />
        <Button type="submit" wide loading={signIn.busy}>
          {t('signInLink.useCode')}
        </Button>
        <Button variant="secondary" wide loading={sending} disabled={againInSeconds > 0} onClick={sendAgain}>
          {againInSeconds > 0 ? t('signInLink.againIn', { count: againInSeconds }) : t('signInLink.again')}
        </Button>
        <FormLinks hidden={sending}>
          <Button variant="text" size="small" onClick={startOver}>
            {t('signInLink.other')}
          </Button>
          <ToSignIn />
        </FormLinks>
      </FormBox>
    </OwnCard>
  );
}

/** Renders a button to the request of a new link. */
export function NewLink() {
  const { t } = useTranslation();
  const next = useNext();
  return (
    <ButtonLink wide variant="secondary" render={<Link to={next(paths.signInLink)} />}>
      {t('signInLink.newLink')}
    </ButtonLink>
  );
}

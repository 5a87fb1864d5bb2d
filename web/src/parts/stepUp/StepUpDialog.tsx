import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { type StepUpDemand, settleStepUp } from '../../shared/api/stepUp.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { hasPasskeys } from '../../shared/browser/passkey.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { GoogleMark } from '../account/GoogleMark.tsx';
import { useGoogle } from '../account/useGoogle.ts';
import { usePasskeyStepUp } from './usePasskeyStepUp.ts';
import { type StepUpForm, useStepUpForm } from './useStepUpForm.ts';

const decline = () => settleStepUp(false);
const proven = () => settleStepUp(true);

/**
 * Renders the prompt for a proof of identity before an important action, which a stolen session
 * must not perform. The API client opens it above the page.
 */
export function StepUpDialog({ demand }: { demand: StepUpDemand }) {
  const { methods } = demand;
  const passkey = methods.includes('passkey') && hasPasskeys();
  if (methods.includes('password')) return <ByPassword demand={demand} passkey={passkey} />;
  if (methods.includes('link')) return <ByLink passkey={passkey} />;
  if (methods.includes('google')) return <ByGoogle passkey={passkey} />;
  return passkey ? <ByPasskey /> : <ByMail />;
}

function ByPassword({ demand, passkey }: { demand: StepUpDemand; passkey: boolean }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const { form, codeToo, send, sending, error } = useStepUpForm(demand);
  const { errors } = form.formState;
  const errorAt = (field: keyof StepUpForm) => errors[field]?.message && t(errors[field].message as TextKey);
  return (
    <Dialog
      open
      onClose={decline}
      title={t('stepUp.title')}
      onSubmit={send}
      actions={
        <>
          <Button variant="ghost" onClick={decline}>
            {t('settings.cancel')}
          </Button>
          <Button type="submit" loading={sending}>
            {t('stepUp.confirm')}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <Text variant="small" color="secondary">
          {t('stepUp.text')}
        </Text>
        <input type="text" name="username" autoComplete="username" value={identity?.email ?? ''} readOnly hidden />
        <Problem error={error} fallback="stepUp.failed" />
        <PasswordField
          label={t('auth.password')}
          autoComplete="current-password"
          readOnly={sending}
          error={errorAt('password')}
          {...form.register('password')}
        />
        {codeToo && (
          <TextField
            label={t('stepUp.code')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={32}
            readOnly={sending}
            hint={t('stepUp.codeHint')}
            error={errorAt('code')}
            {...form.register('code')}
          />
        )}
        {passkey && <PasskeyButton />}
        {demand.methods.includes('link') && (
          <>
            <Text variant="small" color="secondary">
              {t('stepUp.orLink')}
            </Text>
            <Button variant="secondary" onClick={proven}>
              {t('stepUp.linkDone')}
            </Button>
          </>
        )}
      </Stack>
    </Dialog>
  );
}

/**
 * Renders the prompt on a single-user server. The user signs in again with a link, and the server
 * checks this when the request is repeated.
 */
function ByLink({ passkey }: { passkey: boolean }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={decline}
      title={t('stepUp.title')}
      actions={
        <>
          <Button variant="ghost" onClick={decline}>
            {t('settings.cancel')}
          </Button>
          <Button onClick={proven}>{t('stepUp.linkDone')}</Button>
        </>
      }
    >
      <Stack gap={4}>
        <Text variant="small">{t('stepUp.link')}</Text>
        {passkey && <PasskeyButton />}
      </Stack>
    </Dialog>
  );
}

/** Renders a button that confirms the identity with a passkey. */
function PasskeyButton() {
  const { t } = useTranslation();
  const { prove, proving, error } = usePasskeyStepUp();
  return (
    <>
      <Button variant="secondary" start={<Icon of={KeyRound} />} loading={proving} onClick={prove}>
        {t('stepUp.passkey')}
      </Button>
      <Problem error={error} fallback="stepUp.failed" />
    </>
  );
}

/**
 * Renders the prompt for a user who has no password, and no other way that works in this browser.
 */
function ByMail() {
  const { t } = useTranslation();
  const email = useIdentity()?.email ?? '';
  const { submit, sending, done, error } = useSubmission(async () => {
    await answer(client.POST('/auth/forgot-password', { body: { email } }));
  });
  return (
    <Dialog
      open
      onClose={decline}
      title={t('stepUp.title')}
      actions={
        <>
          <Button variant="ghost" onClick={decline}>
            {t('settings.cancel')}
          </Button>
          <Button loading={sending} disabled={done} onClick={() => submit(undefined)}>
            {t('stepUp.mailButton')}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <Text variant="small" color="secondary">
          {t('stepUp.mail')}
        </Text>
        {done && (
          <Alert tone="ok" live="status">
            {t('stepUp.mailSent', { email })}
          </Alert>
        )}
        <Problem error={error} fallback="stepUp.failed" />
      </Stack>
    </Dialog>
  );
}

/** Renders the prompt for a user who can use only a passkey. */
function ByPasskey() {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={decline}
      title={t('stepUp.title')}
      actions={
        <Button variant="ghost" onClick={decline}>
          {t('settings.cancel')}
        </Button>
      }
    >
      <Stack gap={4}>
        <Text variant="small" color="secondary">
          {t('stepUp.text')}
        </Text>
        <PasskeyButton />
      </Stack>
    </Dialog>
  );
}

function ByGoogle({ passkey }: { passkey: boolean }) {
  const { t } = useTranslation();
  const { go, leaving, error } = useGoogle(useLanguage());
  const { pathname, search, hash } = window.location;
  return (
    <Dialog
      open
      onClose={decline}
      title={t('stepUp.title')}
      actions={
        <>
          <Button variant="ghost" onClick={decline}>
            {t('settings.cancel')}
          </Button>
          <Button
            variant="secondary"
            loading={leaving}
            start={<GoogleMark />}
            onClick={() => go({ purpose: 'step_up', rememberMe: false, returnTo: `${pathname}${search}${hash}` })}
          >
            {leaving ? t('auth.googleLeaving') : t('stepUp.google')}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <Text variant="small" color="secondary">
          {t('stepUp.googleText')}
        </Text>
        <Problem error={error} fallback="auth.googleFailed" />
        {passkey && <PasskeyButton />}
      </Stack>
    </Dialog>
  );
}

import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeForm } from '../../parts/account/CodeForm.tsx';
import { readReturn, returnText } from '../../parts/account/googleReturn.ts';
import { reloadWithSession } from '../../shared/api/handOver.ts';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import { useAddress } from '../../shared/hooks/useAddress.ts';
import { leadingTo } from '../../shared/routing/origin.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Link, useGo } from '../../shared/ui/Link.tsx';
import { AuthCard } from './AuthCard.tsx';
import { Busy } from './Busy.tsx';
import { useGoogleReturn } from './useGoogleReturn.ts';
import { usePreloaded } from './usePreloaded.ts';

/**
 * Renders /auth/google/callback, to which Google's sign-in returns. The page uses the values in its
 * address and removes them from the address and the history.
 */
export function GoogleCallbackPage() {
  const { t } = useTranslation();
  const address = useAddress();
  if (address === null)
    return (
      <AuthCard title={t('auth.callbackTitle')}>
        <Busy text={t('auth.callbackBusy')} />
      </AuthCard>
    );
  return <Return search={address} />;
}

function Return({ search }: { search: URLSearchParams }) {
  const { t } = useTranslation();
  const go = useGo();
  const [back] = useState(() => readReturn(search));
  const { departure, failure, tryAgain, sendCode } = useGoogleReturn(
    back,
    () => {
      if (back.kind === 'sign_in' && back.isNew) storePageMessage({ greeting: 'welcomeNew' });
      const next = departure.returnTo ?? paths.dashboard;
      if (!reloadWithSession(next)) go(next, { replace: true });
    },
    (returnTo, what) => {
      // The action that required the proof was on the previous page. A message asks the user to
      // repeat it.
      storePageMessage({ greeting: what === 'linked' ? 'googleLinked' : 'steppedUp' });
      go(returnTo ?? paths.settings, { replace: true });
    },
  );
  const stepUp = departure.purpose !== 'sign_in' || back.kind === 'step_up' || back.kind === 'linked';
  usePreloaded(() => departure.returnTo ?? (stepUp ? paths.settings : paths.dashboard), failure === null);
  const named = search.size > 0;
  useEffect(() => {
    if (named) window.history.replaceState(window.history.state, '', paths.googleCallback);
  }, [named]);
  if (failure === null)
    return (
      <AuthCard title={t('auth.callbackTitle')}>
        <Busy text={t('auth.callbackBusy')} />
      </AuthCard>
    );
  const away = <Link to={stepUp ? (departure.returnTo ?? paths.settings) : leadingTo(paths.login, departure.returnTo)} />;
  const awayText = t(stepUp ? 'auth.back' : 'auth.backToSignIn');
  if (failure === 'code')
    return (
      <AuthCard title={t('auth.totpTitle')} arrived>
        <CodeForm send={sendCode}>
          <ButtonLink variant="text" size="small" render={away}>
            {awayText}
          </ButtonLink>
        </CodeForm>
      </AuthCard>
    );
  const { key, error } = returnText(failure);
  return (
    <AuthCard title={t('auth.callbackFailedTitle')} arrived>
      <Stack>
        <Alert tone="error" title={t(key, { error })}>
          {key === 'problem.registrationClosed' ? null : t(stepUp ? 'auth.callbackHintStepUp' : 'auth.callbackHint')}
        </Alert>
        {failure === 'network' && (
          <Button wide onClick={tryAgain}>
            {t('problem.retry')}
          </Button>
        )}
        <ButtonLink wide variant={failure === 'network' ? 'secondary' : 'primary'} render={away}>
          {awayText}
        </ButtonLink>
      </Stack>
    </AuthCard>
  );
}

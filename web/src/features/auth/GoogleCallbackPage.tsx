import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { readReturn, returnWords } from '../../parts/account/googleReturn.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { readOrigin } from '../../shared/routing/origin.ts';
import { paths } from '../../shared/routing/paths.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { AuthCard } from './AuthCard.tsx';
import { Busy } from './Busy.tsx';
import { useGoogleReturn } from './useGoogleReturn.ts';

/** /auth/google/callback: takes what Google's sign-in brought, leaving none of it in the address or the history. */
export function GoogleCallbackPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [back] = useState(() => readReturn(search));
  const { departure, failure, tryAgain } = useGoogleReturn(
    back,
    () => {
      if (back.kind === 'sign_in' && back.isNew) toast.success(t('auth.welcomeNew'));
      return navigate(readOrigin(), { replace: true });
    },
    (returnTo) => {
      // What was pressed went with the page that was left: it has to be pressed again, and says so.
      toast.success(t('auth.steppedUp'));
      return navigate(returnTo ?? paths.settings, { replace: true });
    },
  );
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
  const { key, error } = returnWords(failure);
  const stepUp = departure.purpose === 'step_up';
  return (
    <AuthCard title={t('auth.callbackFailedTitle')} arrived>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Notice tone="error" title={t(key, { error })}>
          {t(stepUp ? 'auth.callbackHintStepUp' : 'auth.callbackHint')}
        </Notice>
        {failure === 'network' && (
          <Button fullWidth onClick={tryAgain}>
            {t('problem.retry')}
          </Button>
        )}
        <Button
          component={Link}
          to={stepUp ? (departure.returnTo ?? paths.settings) : paths.login}
          replace
          fullWidth
          variant={failure === 'network' ? 'outlined' : 'contained'}
        >
          {t(stepUp ? 'auth.back' : 'auth.backToSignIn')}
        </Button>
      </Box>
    </AuthCard>
  );
}

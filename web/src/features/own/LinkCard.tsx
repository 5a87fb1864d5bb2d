import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { OwnCard } from './OwnCard.tsx';
import { signInWithToken } from './signIn.ts';

/**
 * Renders /auth/link?token=, the address that the command `sooner link` prints. Opening it changes
 * nothing, because link previews open it too. The button signs in.
 */
export function LinkCard() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const token = search.get('token')?.trim() ?? '';
  const { submit, sending, done, error } = useSubmission(async () => {
    const { refresh_token } = await answer(client.POST('/auth/link', { body: { token } }));
    await signInWithToken(refresh_token);
    navigate(paths.dashboard, { replace: true });
  });
  const over = !token || hasCode(error, 'INVALID_TOKEN', 'TOKEN_EXPIRED');
  // The link is used up, but the sign-in needs a code of the second factor. The user signs in with
  // the password instead.
  const byPassword = hasCode(error, 'TOTP_REQUIRED');
  return (
    <OwnCard title={t('own.linkTitle')} lead={t('own.linkLead')}>
      {over && (
        <Alert tone="error" title={t(token ? 'own.linkOver' : 'own.linkMissing')}>
          {t('own.linkAgain')}
        </Alert>
      )}
      {!over && <Problem error={error} fallback="own.linkFailed" />}
      {byPassword && (
        <ButtonLink wide render={<Link to={paths.login} />}>
          {t('auth.goSignIn')}
        </ButtonLink>
      )}
      {!over && !byPassword && (
        <Button wide loading={sending || done} onClick={() => submit(undefined)}>
          {t('own.signIn')}
        </Button>
      )}
    </OwnCard>
  );
}

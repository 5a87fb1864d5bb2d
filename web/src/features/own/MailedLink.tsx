import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Spinner } from '../../shared/ui/Spinner.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './MailedLink.module.css';
import { OwnCard } from './OwnCard.tsx';
import { NewLink } from './SignInLinkCard.tsx';
import type { useLinkSignIn } from './useLinkSignIn.ts';

interface Props {
  token: string;
  signIn: ReturnType<typeof useLinkSignIn>;
}

/**
 * Renders the page of a mailed sign-in link. Opening it changes nothing, because mail scanners open
 * links too. In the browser that requested the link a button signs in. Other browsers show a code.
 */
export function MailedLink({ token, signIn }: Props) {
  const { t } = useTranslation();
  const page = useQuery({
    queryKey: ['signInLink', token],
    queryFn: () => answer(client.GET('/auth/sign-in-link', { params: { query: { token } } })),
    enabled: token !== '',
    retry: (count, error) => count < 2 && !hasCode(error, 'INVALID_TOKEN', 'TOKEN_EXPIRED'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = page.error ?? signIn.error;
  const over = !token || signIn.tooLate || hasCode(failure, 'INVALID_TOKEN', 'TOKEN_EXPIRED');
  if (over)
    return (
      <OwnCard title={t('signInLink.openTitle')} lead={t('signInLink.overText')}>
        <Alert tone="error" title={t(token ? 'signInLink.over' : 'signInLink.missing')} />
        <NewLink />
      </OwnCard>
    );
  if (page.data?.code)
    return (
      <OwnCard title={t('signInLink.codeTitle')} lead={t('signInLink.codeLead')}>
        <Text as="p" variant="title" className={styles.code} translate="no">
          {page.data.code}
        </Text>
        <Alert tone="warning">{t('signInLink.codeWarning')}</Alert>
      </OwnCard>
    );
  return (
    <OwnCard title={t('signInLink.openTitle')} lead={t('signInLink.openLead')}>
      <Problem error={failure} fallback="signInLink.unchecked" />
      {page.isPending ? (
        <Text variant="small" color="secondary" role="status">
          <Spinner /> {t('signInLink.checking')}
        </Text>
      ) : page.isError ? (
        <Button wide loading={page.isFetching} onClick={() => void page.refetch()}>
          {t('problem.retry')}
        </Button>
      ) : (
        <Button wide loading={signIn.busy} onClick={() => signIn.sendToken(token)}>
          {t('signInLink.openTitle')}
        </Button>
      )}
    </OwnCard>
  );
}

import { useTranslation } from 'react-i18next';
import { RegisterFields } from '../../parts/account/RegisterFields.tsx';
import { RegisterLead } from '../../parts/account/RegisterLead.tsx';
import { RegistrationNote } from '../../parts/account/RegistrationNote.tsx';
import { WhereClosed, WhereOpen } from '../../shared/api/facts.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { useNext } from '../../shared/hooks/useNext.ts';
import { usePageMessage } from '../../shared/hooks/usePageMessage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Link, useGo } from '../../shared/ui/Link.tsx';
import { AuthCard } from './AuthCard.tsx';

const REDIRECT_MS = 3_000;

/** Renders /auth/register, or the reason why registration is closed. */
export function RegisterPage() {
  const { t } = useTranslation();
  const go = useGo();
  const next = useNext();
  const known = useMethods()?.registration ?? 'open';
  const lead = (
    <WhereOpen otherwise={known === 'open'}>
      <RegisterLead />
    </WhereOpen>
  );
  return (
    <AuthCard title={t('auth.createAccount')} lead={lead} aside="new">
      <WhereOpen otherwise={known === 'open'}>
        <RegisterFields delayMs={REDIRECT_MS} email={usePageMessage()?.email} onDone={(path) => go(next(path))} />
      </WhereOpen>
      <WhereClosed otherwise={known !== 'open'}>
        <Stack>
          <Alert tone="info">
            <RegistrationNote known={known} />
          </Alert>
          <ButtonLink wide render={<Link to={next(paths.login)} />}>
            {t('auth.goSignIn')}
          </ButtonLink>
        </Stack>
      </WhereClosed>
    </AuthCard>
  );
}

import { useTranslation } from 'react-i18next';
import { If } from '../../shared/api/facts.tsx';
import type { SignInMethods } from '../../shared/api/types.ts';

/**
 * Renders why registration is closed: by invitation only, or not at all. `known` matters in the
 * app, where no document provides the fact.
 */
export function RegistrationNote({ known }: { known?: SignInMethods['registration'] }) {
  const { t } = useTranslation();
  return (
    <>
      <If fact="invite_only" otherwise={known === 'invite'}>
        {t('auth.inviteOnly')}
      </If>
      <If fact="registration_off" otherwise={known === 'closed'}>
        {t('auth.registrationOff')}
      </If>
    </>
  );
}

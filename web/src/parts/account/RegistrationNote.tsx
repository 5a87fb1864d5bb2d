import { useTranslation } from 'react-i18next';
import { If } from '../../shared/api/facts.tsx';
import type { SignInMethods } from '../../shared/api/types.ts';

/**
 * Renders the reason why registration is not open: it needs an invitation, or it is closed. The app
 * passes `known`, because only documents have facts.
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

import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RegisterFields } from '../../../parts/account/RegisterFields.tsx';
import { RegisterLead } from '../../../parts/account/RegisterLead.tsx';
import { RegistrationNote } from '../../../parts/account/RegistrationNote.tsx';
import { WhereClosed, WhereOpen } from '../../../shared/api/facts.tsx';
import { useMethods } from '../../../shared/api/methods.ts';
import { paths } from '../../../shared/routing/paths.ts';
import { ButtonLink } from '../../../shared/ui/Button.tsx';
import { Card } from '../../../shared/ui/Card.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Link, useGo } from '../../../shared/ui/Link.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import styles from './SignUpCard.module.css';

const REDIRECT_MS = 2_500;

/**
 * Renders the registration card of the landing page. It is an Astro island, whose code loads when
 * the user first interacts with it.
 */
export function SignUpCard() {
  const { t } = useTranslation();
  const go = useGo();
  const known = useMethods()?.registration ?? 'open';
  return (
    <Card as="section" raised id="sign-up" aria-labelledby="sign-up-title" className={styles.card}>
      <Text as="h2" variant="title" id="sign-up-title">
        <WhereOpen otherwise={known === 'open'}>{t('auth.createAccount')}</WhereOpen>
        <WhereClosed otherwise={known !== 'open'}>{t('nav.login')}</WhereClosed>
      </Text>
      <div className={styles.lead}>
        <Text variant="small" color="secondary">
          <WhereOpen otherwise={known === 'open'}>
            <RegisterLead />
          </WhereOpen>
          <RegistrationNote known={known} />
        </Text>
      </div>
      <WhereOpen otherwise={known === 'open'}>
        <RegisterFields delayMs={REDIRECT_MS} onDone={go} />
      </WhereOpen>
      <WhereClosed otherwise={known !== 'open'}>
        <ButtonLink wide render={<Link to={paths.login} />}>
          {t('auth.goSignIn')}
        </ButtonLink>
      </WhereClosed>
      <div className={styles.note}>
        <Icon of={ShieldCheck} size={18} />
        <span>
          {t('landing.signUpNote')} <Link to={paths.privacy}>{t('footer.privacy')}</Link>
        </span>
      </div>
    </Card>
  );
}

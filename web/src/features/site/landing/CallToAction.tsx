import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RegistrationNote } from '../../../parts/account/RegistrationNote.tsx';
import { WhereClosed, WhereOpen } from '../../../shared/api/facts.tsx';
import { paths } from '../../../shared/routing/paths.ts';
import { ButtonLink } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import styles from './CallToAction.module.css';
import { phrases } from './phrases.tsx';

/** Positions of seen dates on the drawn date line. */
const TICKS = [60, 268, 292, 300, 322, 340, 366, 392];

/**
 * Renders the call to action on a dark panel: the price promise, the registration link, and a
 * booking on the date line.
 */
export function CallToAction() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="cta" className={styles.band}>
      <Container>
        <div className={styles.panel}>
          <div>
            <Text as="h2" variant="h1" id="cta">
              {phrases(t('landing.ctaTitle'))}
            </Text>
            <WhereOpen>
              <Text variant="lead">{t('landing.ctaLead')}</Text>
              <ButtonLink href={paths.register} size="large" variant="onDeep" end={<Icon of={ArrowRight} size={18} />}>
                {t('landing.ctaButton')}
              </ButtonLink>
            </WhereOpen>
            <WhereClosed>
              <Text variant="lead">
                <RegistrationNote />
              </Text>
              <ButtonLink href={paths.login} size="large" variant="onDeep" end={<Icon of={ArrowRight} size={18} />}>
                {t('nav.login')}
              </ButtonLink>
            </WhereClosed>
          </div>
          <svg viewBox="0 0 440 180" className={styles.picture} aria-hidden="true">
            <path className={styles.track} d="M10 130H430" />
            <path className={styles.window} d="M120 130H250" />
            <path className={styles.ticks} d={TICKS.map((x) => `M${x} 122v16`).join('')} />
            <path className={styles.arc} d="M420 112C412 26 190 20 168 104" />
            <path d="M160 92l7 14 11-11" strokeLinejoin="round" />
            <circle className={styles.sun} cx="10" cy="130" r="8" />
            <circle className={styles.old} cx="420" cy="130" r="9" />
            <circle className={styles.halo} cx="168" cy="130" r="17" />
            <circle className={styles.new} cx="168" cy="130" r="11" />
          </svg>
        </div>
      </Container>
    </section>
  );
}

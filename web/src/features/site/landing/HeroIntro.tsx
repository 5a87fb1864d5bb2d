import { Gift, Lock, User } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled, WhereClosed, WhereOpen } from '../../../shared/api/facts.tsx';
import { paths } from '../../../shared/routing/paths.ts';
import { ButtonLink } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { LiveDot } from '../../../shared/ui/LiveDot.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import styles from './HeroIntro.module.css';
import { PriceLine } from './PriceLine.tsx';

/** States of the portal, by the fact that the document contains. */
const states = [
  { fact: 'portal_ok', look: styles.ok, textKey: 'landing.portalOk' },
  { fact: 'portal_slow', look: styles.slow, textKey: 'landing.portalSlow' },
  { fact: 'portal_down', look: styles.down, textKey: 'landing.portalDown' },
] as const;

/** Renders the state of the portal and the age of the last poll, if known. */
function PortalLine() {
  const { t } = useTranslation();
  const facts = useFacts();
  const ago = (
    <b>
      <If fact="seen_seconds">{t('landing.seenSeconds', { n: facts.seen_seconds })}</If>
      <If fact="seen_minutes">{t('landing.seenMinutes', { n: facts.seen_minutes })}</If>
    </b>
  );
  return (
    <>
      {states.map(({ fact, look, textKey }) => (
        <If key={fact} fact={fact}>
          <p className={styles.live}>
            <LiveDot className={look} />
            <span>
              {t(textKey)}
              {ago}
            </span>
          </p>
        </If>
      ))}
    </>
  );
}

/**
 * Renders the note that a referral link was opened, with the discount if there is one. The document
 * knows this before the first paint (app/documents/first.js).
 */
function Invited() {
  const { t } = useTranslation();
  const { referral_off } = useFacts();
  return (
    <p className={styles.invited}>
      <Icon of={Gift} size={18} />
      <span>
        {t('landing.invited')} <If fact="referral_off">{t('landing.invitedOff', { off: referral_off })}</If>
      </span>
    </p>
  );
}

/**
 * Renders the introduction of the landing page: a heading, a sentence, and reasons to trust the
 * service.
 */
export function HeroIntro() {
  const { t } = useTranslation();
  const trust = [
    { icon: Lock, text: t('landing.trust2') },
    { icon: User, text: t('landing.trust3') },
  ];
  return (
    <div className={styles.intro}>
      <WhereBilled>
        <Invited />
      </WhereBilled>
      <PortalLine />
      <Text as="h1" variant="display">
        {t('landing.title')}
        <br />
        {t('landing.title2')}
      </Text>
      <Text variant="lead" color="secondary" className={styles.lead}>
        {t('landing.lead')}
      </Text>
      <ul className={styles.trust}>
        <PriceLine />
        {trust.map((point) => (
          <li key={point.text}>
            <Icon of={point.icon} size={18} />
            {point.text}
          </li>
        ))}
      </ul>
      <div className={styles.ways}>
        <WhereOpen>
          <ButtonLink href="#sign-up" size="large">
            {t('landing.ctaButton')}
          </ButtonLink>
        </WhereOpen>
        <WhereClosed>
          <ButtonLink href={paths.login} size="large">
            {t('nav.login')}
          </ButtonLink>
        </WhereClosed>
        <ButtonLink href="#showcase" size="large" variant="secondary">
          {t('open.showcase')}
        </ButtonLink>
      </div>
    </div>
  );
}

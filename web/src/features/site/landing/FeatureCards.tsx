import { Activity, Bell, CalendarCheck, Gauge, Lightbulb, Lock, type LucideIcon, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { If } from '../../../shared/api/facts.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import styles from './FeatureCards.module.css';
import { AlertsPicture, ChecksPicture, CriteriaPicture } from './featurePictures.tsx';
import { Section } from './Section.tsx';

/** Renders the sentence about notifications, with only the channels that this server supports. */
function AlertsText() {
  const { t } = useTranslation();
  return (
    <>
      <If fact="mail">{t('landing.feature2Mail')}</If>
      <If not="mail">{t('landing.feature2Page')}</If>
      {t('landing.feature2Add')}
      <If fact="web_push">{t('landing.feature2Push')}</If>
      <If fact="telegram">{t('landing.feature2Telegram')}</If>
      <If fact="wx_pusher">{t('landing.feature2WxPusher')}</If>
      <If fact="sms">{t('landing.feature2Sms')}</If>
      {t('landing.feature2Apps')}
    </>
  );
}

/** Renders three features, each with a picture and a short text, then four short promises. */
export function FeatureCards() {
  const { t } = useTranslation();
  const features: { icon: LucideIcon; title: string; text: ReactNode; picture: ReactNode }[] = [
    { icon: RefreshCw, title: t('landing.feature1'), text: t('landing.feature1Text'), picture: <ChecksPicture /> },
    { icon: Bell, title: t('landing.feature2'), text: <AlertsText />, picture: <AlertsPicture /> },
    { icon: CalendarCheck, title: t('landing.feature3'), text: t('landing.feature3Text'), picture: <CriteriaPicture /> },
  ];
  const core: { icon: LucideIcon; title: string; text: string }[] = [
    { icon: Lock, title: t('landing.core1'), text: t('landing.core1Text') },
    { icon: Gauge, title: t('landing.core2'), text: t('landing.core2Text') },
    { icon: Lightbulb, title: t('landing.core3'), text: t('landing.core3Text') },
    { icon: Activity, title: t('landing.core4'), text: t('landing.core4Text') },
  ];
  return (
    <Section id="features" paper title={t('landing.featuresTitle')} lead={t('landing.featuresLead')}>
      <ul className={styles.features}>
        {features.map((feature) => (
          <li key={feature.title}>
            <div className={styles.frame} aria-hidden>
              {feature.picture}
            </div>
            <h3>
              <Icon of={feature.icon} size={20} />
              {feature.title}
            </h3>
            <p className={styles.words}>{feature.text}</p>
          </li>
        ))}
      </ul>
      <ul className={styles.core}>
        {core.map((point) => (
          <li key={point.title}>
            <Icon of={point.icon} />
            <h3>{point.title}</h3>
            <p>{point.text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import type { IconName } from '../../../shared/legacy/iconPaths.tsx';
import { AlertsFragment, ConditionsFragment, Fragments, LooksFragment } from './fragments.tsx';
import { Section } from './Section.tsx';

const Core = styled('ul')(({ theme: { vars, breakpoints } }) => ({
  display: 'grid',
  gap: 24,
  marginTop: 40,
  paddingTop: 32,
  borderTop: `1px solid ${vars.palette.divider}`,
  [breakpoints.up('sm')]: { gridTemplateColumns: '1fr 1fr' },
  [breakpoints.up('md')]: { gridTemplateColumns: 'repeat(4,1fr)', gap: 32, marginTop: 64, paddingTop: 40 },
  '& li': { display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '2px 12px', alignContent: 'start' },
  '& svg': { color: vars.palette.primary.main, marginTop: 2 },
  '& h3': { fontSize: 16, fontWeight: 600, lineHeight: 1.5 },
  '& p': { gridColumn: 2, fontSize: 14, lineHeight: 1.65, color: vars.palette.text.secondary },
}));

/** What it does, three times a fragment of the product and two lines; then four promises in short. */
export function FeatureCards() {
  const { t } = useTranslation();
  const features: { icon: IconName; title: string; text: string; picture: ReactNode }[] = [
    { icon: 'refresh', title: t('landing.feature1'), text: t('landing.feature1Text'), picture: <LooksFragment /> },
    { icon: 'bell', title: t('landing.feature2'), text: t('landing.feature2Text'), picture: <AlertsFragment /> },
    { icon: 'calendarCheck', title: t('landing.feature3'), text: t('landing.feature3Text'), picture: <ConditionsFragment /> },
  ];
  const core: { icon: IconName; title: string; text: string }[] = [
    { icon: 'lock', title: t('landing.core1'), text: t('landing.core1Text') },
    { icon: 'gauge', title: t('landing.core2'), text: t('landing.core2Text') },
    { icon: 'bulb', title: t('landing.core3'), text: t('landing.core3Text') },
    { icon: 'activity', title: t('landing.core4'), text: t('landing.core4Text') },
  ];
  return (
    <Section id="features" paper title={t('landing.featuresTitle')} lead={t('landing.featuresLead')}>
      <Fragments>
        {features.map((feature) => (
          <li key={feature.title}>
            <div className="frame" aria-hidden>
              {feature.picture}
            </div>
            <h3>
              <Icon name={feature.icon} size={22} />
              {feature.title}
            </h3>
            <p>{feature.text}</p>
          </li>
        ))}
      </Fragments>
      <Core>
        {core.map((point) => (
          <li key={point.title}>
            <Icon name={point.icon} />
            <h3>{point.title}</h3>
            <p>{point.text}</p>
          </li>
        ))}
      </Core>
    </Section>
  );
}

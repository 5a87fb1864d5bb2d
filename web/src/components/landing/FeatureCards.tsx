import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/iconPaths.tsx';
import { AlertsFragment, ConditionsFragment, LooksFragment } from './fragments.tsx';
import { Section } from './Section.tsx';

/** What it does, three times a fragment of the product and two lines; then four promises in short. */
export function FeatureCards() {
  const { t } = useTranslation();
  const features: { icon: IconName; title: string; text: string; picture: ReactNode }[] = [
    { icon: 'refresh', title: t('landing.feature1'), text: t('landing.feature1Text'), picture: <LooksFragment /> },
    { icon: 'chat', title: t('landing.feature2'), text: t('landing.feature2Text'), picture: <AlertsFragment /> },
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
      <Box
        component="ul"
        sx={{ display: 'grid', gap: { xs: 4, md: 3 }, gridTemplateColumns: { xs: '1fr', md: 'repeat(3, 1fr)' } }}
      >
        {features.map((feature) => (
          <li key={feature.title}>
            {feature.picture}
            <Typography variant="h5" component="h3" sx={{ mt: 2.5, display: 'flex', gap: 1.25, alignItems: 'center' }}>
              <Box component="span" sx={{ color: 'primary.main' }}>
                <Icon name={feature.icon} size={22} />
              </Box>
              {feature.title}
            </Typography>
            <Typography color="textSecondary" sx={{ mt: 0.75, fontSize: 15 }}>
              {feature.text}
            </Typography>
          </li>
        ))}
      </Box>
      <Box
        component="ul"
        sx={{
          mt: { xs: 5, md: 8 },
          pt: { xs: 4, md: 5 },
          borderTop: 1,
          borderColor: 'divider',
          display: 'grid',
          gap: { xs: 3, md: 4 },
          gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: 'repeat(4, 1fr)' },
        }}
      >
        {core.map((point) => (
          <Box component="li" key={point.title} sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '2px 12px' }}>
            <Box sx={{ color: 'primary.main', mt: '2px' }}>
              <Icon name={point.icon} />
            </Box>
            <Typography variant="h6" component="h3">
              {point.title}
            </Typography>
            <Typography color="textSecondary" sx={{ gridColumn: 2, fontSize: 14, lineHeight: 1.65 }}>
              {point.text}
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}

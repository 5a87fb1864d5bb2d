import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/calls.ts';
import { CallToAction } from '../../components/landing/CallToAction.tsx';
import { ContactCards } from '../../components/landing/ContactCards.tsx';
import { FeatureCards } from '../../components/landing/FeatureCards.tsx';
import { FeatureList } from '../../components/landing/FeatureList.tsx';
import { Figures } from '../../components/landing/Figures.tsx';
import { Gallery } from '../../components/landing/Gallery.tsx';
import { HeroProduct } from '../../components/landing/HeroProduct.tsx';
import { MoreCases } from '../../components/landing/MoreCases.tsx';
import { Showcase } from '../../components/landing/Showcase.tsx';
import { SignUpCard } from '../../components/landing/SignUpCard.tsx';
import { useFetched } from '../../lib/useFetched.ts';
import { useIdentity } from '../../lib/useIdentity.ts';
import { usePageTitle } from '../../lib/usePageTitle.ts';
import { paths } from '../../routes/paths.ts';
import { Icon } from '../../ui/Icon.tsx';

/** /: what it is and a piece of it beside the sign-up, then features, how it works, details, pictures, contact. */
export function LandingPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const support = useFetched(api.support);
  const figures = useFetched(api.publicStats);
  usePageTitle('');
  const trust = [
    { icon: 'wallet', text: t('landing.trust1') },
    { icon: 'lock', text: t('landing.trust2') },
    { icon: 'eye', text: t('landing.trust3') },
  ] as const;
  return (
    <>
      <Container
        sx={{
          display: 'grid',
          gap: { xs: 6, md: 8 },
          gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) 400px' },
          alignItems: 'start',
          pt: { xs: 3, md: 7 },
          pb: { xs: 8, md: 14 },
        }}
      >
        <div>
          <Typography variant="h1">{t('landing.title')}</Typography>
          <Typography variant="lead" component="p" color="textSecondary" sx={{ mt: 2.5, maxWidth: '31em' }}>
            {t('landing.lead')}
          </Typography>
          <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: '8px 24px', mt: 2.5, fontSize: 15, fontWeight: 500 }}>
            {trust.map((point) => (
              <Box
                component="li"
                key={point.icon}
                sx={{ display: 'flex', gap: 1, alignItems: 'center', '& svg': { color: 'primary.main' } }}
              >
                <Icon name={point.icon} />
                {point.text}
              </Box>
            ))}
          </Box>
          {identity ? null : (
            <Button href="#sign-up" size="large" sx={{ mt: 3, display: { md: 'none' } }}>
              {t('nav.register')}
            </Button>
          )}
          <HeroProduct />
        </div>
        {identity ? (
          <Button href={paths.dashboard} size="large" endIcon={<Icon name="arrowRight" size={18} />}>
            {t('landing.toDashboard')}
          </Button>
        ) : (
          <SignUpCard />
        )}
      </Container>
      <FeatureCards />
      <Showcase />
      <FeatureList />
      <Gallery />
      <MoreCases account={support?.xiaohongshu_id} />
      <Figures figures={figures} />
      <CallToAction />
      <ContactCards support={support} />
    </>
  );
}

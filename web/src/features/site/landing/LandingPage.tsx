import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import type { HomeParts } from './homeParts.ts';

/** /: what it is and a piece of it beside the sign-up, then features, how it works, details, pictures, contact. */
export function LandingPage({ parts }: { parts: HomeParts }) {
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
          <parts.HeroIntro />
          <parts.HeroProduct />
        </div>
        {/* Whether somebody is signed in is known before the first frame (open/loader.ts): nobody sees the wrong one of the two. */}
        <Box sx={{ display: 'contents', '[data-member] &': { display: 'none' } }}>
          <parts.SignUpCard />
        </Box>
        <Box sx={{ display: 'none', '[data-member] &': { display: 'block' } }}>
          <parts.ToDashboard />
        </Box>
      </Container>
      <parts.FeatureCards />
      <parts.Showcase />
      <parts.FeatureList />
      <parts.Gallery />
      <parts.MoreCases />
      <parts.Figures />
      <parts.CallToAction />
      <parts.ContactCards />
    </>
  );
}

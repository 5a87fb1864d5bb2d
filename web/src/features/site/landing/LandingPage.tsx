import type { ReactNode } from 'react';
import { Container } from '../../../shared/ui/Layout.tsx';
import { CallToAction } from './CallToAction.tsx';
import { FeatureCards } from './FeatureCards.tsx';
import { FeatureList } from './FeatureList.tsx';
import { Figures } from './Figures.tsx';
import { HeroIntro } from './HeroIntro.tsx';
import { HeroProduct } from './HeroProduct.tsx';
import styles from './LandingPage.module.css';
import { MoreCases } from './MoreCases.tsx';
import { ToDashboard } from './ToDashboard.tsx';

/** Interactive parts of the landing page. In the prerendered document each is an Astro island. */
interface Props {
  signUp: ReactNode;
  showcase: ReactNode;
  gallery: ReactNode;
  contact: ReactNode;
}

/**
 * Renders the landing page: introduction, example and registration, then features, steps, details,
 * gallery and contacts.
 */
export function LandingPage({ signUp, showcase, gallery, contact }: Props) {
  return (
    <>
      <Container>
        <div className={styles.hero}>
          <div>
            <HeroIntro />
            <HeroProduct />
          </div>
          <div className={styles.guest}>{signUp}</div>
          <div className={styles.member}>
            <ToDashboard />
          </div>
        </div>
      </Container>
      <FeatureCards />
      {showcase}
      <FeatureList />
      {gallery}
      <MoreCases />
      <Figures />
      <CallToAction />
      {contact}
    </>
  );
}

import type { ComponentType } from 'react';
import type { HomeParts } from '../../features/site/landing/homeParts.ts';
import { LandingPage } from '../../features/site/landing/LandingPage.tsx';
import { readFacts } from '../../shared/api/facts.tsx';
import { withWords } from '../../shared/i18n/speak.ts';
import { ThemeRules } from '../../shared/legacy/theme/ThemeRoot.tsx';
import type { OpenParts } from './OpenApp.tsx';
import type { OpenPage } from './pages.ts';
import { Island, Kept } from './parts.tsx';

const signUp = () =>
  withWords('signUp', async () => {
    const [{ knowMethods }, { SignUpCard }] = await Promise.all([
      import('../../shared/api/methods.ts'),
      import('../../features/site/landing/SignUpCard.tsx'),
    ]);
    const { google, mail } = readFacts();
    knowMethods({ google: google !== undefined, mail: mail !== undefined });
    return SignUpCard;
  });
const showcase = () => withWords('showcase', async () => (await import('../../features/site/landing/Showcase.tsx')).Showcase);
const gallery = () => withWords('gallery', async () => (await import('../../features/site/landing/Gallery.tsx')).Gallery);
const contact = () =>
  withWords('contact', async () => (await import('../../features/site/landing/ContactCards.tsx')).ContactCards);
const faq = () => withWords('faq', async () => (await import('../../features/site/faq/FaqPage.tsx')).FaqPage);

const home: HomeParts = {
  HeroIntro: () => <Kept name="hero" />,
  HeroProduct: () => <Kept name="product" />,
  SignUpCard: () => <Island name="signUp" load={signUp} when="touched" />,
  ToDashboard: () => <Kept name="toDashboard" />,
  FeatureCards: () => <Kept name="features" />,
  Showcase: () => <Island name="showcase" load={showcase} when="near" />,
  FeatureList: () => <Kept name="list" />,
  Gallery: () => <Island name="gallery" load={gallery} when="near" />,
  MoreCases: () => <Kept name="cases" />,
  Figures: () => <Kept name="figures" />,
  CallToAction: () => <Kept name="action" />,
  ContactCards: () => <Island name="contact" load={contact} when="touched" />,
};

const contents: Record<OpenPage, ComponentType> = {
  home: () => <LandingPage parts={home} />,
  faq: () => <Island name="faq" load={faq} when="alive" />,
  privacy: () => <Kept name="privacy" />,
};

const frame: Omit<OpenParts, 'Content'> = {
  // The document has only what its own markup uses (scripts/diet.mjs): what comes alive needs all of it.
  Base: ThemeRules,
  Skip: () => <Kept name="skip" />,
  Ribbon: () => <Kept name="ribbon" />,
  Guest: () => <Kept name="guest" />,
  Footer: () => <Kept name="footer" />,
};

/** An open page's parts in the browser: what has no behaviour stays as the document has it, the rest comes when it is needed. */
export const liveParts = (page: OpenPage): OpenParts => ({ ...frame, Content: contents[page] });

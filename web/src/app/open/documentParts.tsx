import type { ComponentType } from 'react';
import { FaqPage } from '../../features/site/faq/FaqPage.tsx';
import { type HomeParts, homeParts } from '../../features/site/landing/homeParts.ts';
import { LandingPage } from '../../features/site/landing/LandingPage.tsx';
import { PrivacyPage } from '../../features/site/privacy/PrivacyPage.tsx';
import { If } from '../../shared/api/facts.tsx';
import { ThemeRules } from '../../shared/legacy/theme/ThemeRoot.tsx';
import { DemoRibbon } from '../shell/DemoRibbon.tsx';
import { GuestActions } from '../shell/GuestActions.tsx';
import { SkipLink } from '../shell/SkipLink.tsx';
import type { OpenParts } from './OpenApp.tsx';
import { OpenFooter } from './OpenFooter.tsx';
import type { OpenPage } from './pages.ts';
import { Boxed, BoxedIsland } from './parts.tsx';

/** The names are those of liveParts.tsx; what is an island there is one here. */
const kept = (name: string, Part: ComponentType) => () => (
  <Boxed name={name}>
    <Part />
  </Boxed>
);

const island = (name: string, Part: ComponentType) => () => (
  <BoxedIsland name={name}>
    <Part />
  </BoxedIsland>
);

const Ribbon = () => (
  <If fact="demo">
    <DemoRibbon demo />
  </If>
);

const home: HomeParts = {
  HeroIntro: kept('hero', homeParts.HeroIntro),
  HeroProduct: kept('product', homeParts.HeroProduct),
  SignUpCard: island('signUp', homeParts.SignUpCard),
  ToDashboard: kept('toDashboard', homeParts.ToDashboard),
  FeatureCards: kept('features', homeParts.FeatureCards),
  Showcase: island('showcase', homeParts.Showcase),
  FeatureList: kept('list', homeParts.FeatureList),
  Gallery: island('gallery', homeParts.Gallery),
  MoreCases: kept('cases', homeParts.MoreCases),
  Figures: kept('figures', homeParts.Figures),
  CallToAction: kept('action', homeParts.CallToAction),
  ContactCards: island('contact', homeParts.ContactCards),
};

const contents: Record<OpenPage, ComponentType> = {
  home: () => <LandingPage parts={home} />,
  faq: island('faq', FaqPage),
  privacy: kept('privacy', PrivacyPage),
};

const frame: Omit<OpenParts, 'Content'> = {
  Base: ThemeRules,
  Skip: kept('skip', SkipLink),
  Ribbon: kept('ribbon', Ribbon),
  Guest: kept('guest', GuestActions),
  Footer: kept('footer', OpenFooter),
};

/** An open page's parts as they are put into its document. */
export const documentParts = (page: OpenPage): OpenParts => ({ ...frame, Content: contents[page] });

import type { ComponentType } from 'react';
import { CallToAction } from './CallToAction.tsx';
import { ContactCards } from './ContactCards.tsx';
import { FeatureCards } from './FeatureCards.tsx';
import { FeatureList } from './FeatureList.tsx';
import { Figures } from './Figures.tsx';
import { Gallery } from './Gallery.tsx';
import { HeroIntro } from './HeroIntro.tsx';
import { HeroProduct } from './HeroProduct.tsx';
import { MoreCases } from './MoreCases.tsx';
import { Showcase } from './Showcase.tsx';
import { SignUpCard } from './SignUpCard.tsx';
import { ToDashboard } from './ToDashboard.tsx';

/** Everything the landing is made of, whole. Which of it is static in the browser is said in open/liveParts.tsx. */
export const homeParts = {
  HeroIntro,
  HeroProduct,
  SignUpCard,
  ToDashboard,
  FeatureCards,
  Showcase,
  FeatureList,
  Gallery,
  MoreCases,
  Figures,
  CallToAction,
  ContactCards,
};

/** The landing's parts, however they come to be here. */
export type HomeParts = { [name in keyof typeof homeParts]: ComponentType };

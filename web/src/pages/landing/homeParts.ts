import type { ComponentType } from 'react';
import { CallToAction } from '../../components/landing/CallToAction.tsx';
import { ContactCards } from '../../components/landing/ContactCards.tsx';
import { FeatureCards } from '../../components/landing/FeatureCards.tsx';
import { FeatureList } from '../../components/landing/FeatureList.tsx';
import { Figures } from '../../components/landing/Figures.tsx';
import { Gallery } from '../../components/landing/Gallery.tsx';
import { HeroIntro } from '../../components/landing/HeroIntro.tsx';
import { HeroProduct } from '../../components/landing/HeroProduct.tsx';
import { MoreCases } from '../../components/landing/MoreCases.tsx';
import { Showcase } from '../../components/landing/Showcase.tsx';
import { SignUpCard } from '../../components/landing/SignUpCard.tsx';
import { ToDashboard } from '../../components/landing/ToDashboard.tsx';

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

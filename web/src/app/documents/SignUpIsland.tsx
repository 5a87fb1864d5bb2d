import { SignUpCard } from '../../features/site/landing/SignUpCard.tsx';
import { template } from '../../shared/api/facts.tsx';
import { methodsOf, storeMethods } from '../../shared/api/methods.ts';
import { AppUiTexts } from '../../shared/i18n/AppUiTexts.tsx';
import { documentPart, factsHere } from './documentPart.tsx';

if (factsHere !== template) storeMethods(methodsOf(factsHere));

/**
 * Registration form of the landing page, as an Astro island. Its code loads when the user interacts
 * with the form.
 */
export const SignUpIsland = documentPart(() => (
  <AppUiTexts>
    <SignUpCard />
  </AppUiTexts>
));

import { SignUpCard } from '../../features/site/landing/SignUpCard.tsx';
import { template } from '../../shared/api/facts.tsx';
import { knowMethods, methodsOf } from '../../shared/api/methods.ts';
import { AppUiWords } from '../../shared/i18n/AppUiWords.tsx';
import { documentPart, factsHere } from './documentPart.tsx';

if (factsHere !== template) knowMethods(methodsOf(factsHere));

/** The sign-up of the landing, whose code comes when it is touched itself. */
export const SignUpIsland = documentPart(() => (
  <AppUiWords>
    <SignUpCard />
  </AppUiWords>
));

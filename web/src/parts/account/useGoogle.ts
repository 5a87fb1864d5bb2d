import { useEffect, useState } from 'react';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { type GoogleRequest, goToGoogle } from './googleSignIn.ts';

/**
 * Provides the sign-in with Google: its request, its state, and its error. `leaving` is true until
 * the browser opens Google, or until the user returns with the back button.
 */
export function useGoogle(language: Language) {
  const [departed, setDeparted] = useState(false);
  const { submit, sending, error, clear } = useSubmission(async (departure: GoogleRequest) => {
    await goToGoogle(departure, language);
    setDeparted(true);
  });
  useEffect(() => {
    const back = (event: PageTransitionEvent) => event.persisted && setDeparted(false);
    window.addEventListener('pageshow', back);
    return () => window.removeEventListener('pageshow', back);
  }, []);
  return { go: submit, leaving: sending || departed, error, clear };
}

import { useEffect, useState } from 'react';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { type GoogleRequest, goToGoogle } from './googleSignIn.ts';

/**
 * Handles the sign-in by Google without its view. `leaving` stays true until the browser has left,
 * or has returned by its back button.
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

import { useEffect, useState } from 'react';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { type Departure, goToGoogle } from './googleSignIn.ts';

/** The way to Google without its looks; `leaving` stays true until the browser has left, or has come back by its back button. */
export function useGoogle(language: Language) {
  const [departed, setDeparted] = useState(false);
  const { submit, sending, error, clear } = useSubmission(async (departure: Departure) => {
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

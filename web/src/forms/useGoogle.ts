import { useEffect, useState } from 'react';
import type { Language } from '../i18n/language.ts';
import { type Departure, goToGoogle } from '../lib/googleSignIn.ts';
import { useSubmission } from './useSubmission.ts';

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

import { useCallback, useState } from 'react';
import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import { forgetOrder } from './orderKey.ts';

const KEY = 'sooner.wizard';

/** Data that the wizard keeps across a reload. It never contains the portal password. */
export interface WizardDraft {
  userId: string;
  username: string;
  countryCode: string;
  visaType: 'niv' | 'iv';
  /** Draft task ids chosen in step 2, or null before any choice. */
  selected: string[] | null;
  form: SearchForm | null;
  /** Chosen ids for which the server has accepted the present form. */
  configured: string[];
}

function emptyDraft(userId: string): WizardDraft {
  return { userId, username: '', countryCode: 'en-ca', visaType: 'niv', selected: null, form: null, configured: [] };
}

function load(userId: string): WizardDraft {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as WizardDraft | null;
    return stored?.userId === userId ? stored : emptyDraft(userId);
  } catch {
    return emptyDraft(userId);
  }
}

/** Deletes the wizard's draft, at sign-out and after a submit. */
export function forgetWizard(): void {
  forgetOrder();
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

/** Returns the user's wizard draft, which is written through to session storage. */
export function useWizardDraft(userId: string): [WizardDraft, (change: Partial<WizardDraft>) => void] {
  const [draft, setDraft] = useState(() => load(userId));
  const change = useCallback((part: Partial<WizardDraft>) => {
    setDraft((old) => {
      const next = { ...old, ...part };
      try {
        sessionStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // Without storage the draft lives as long as the page.
      }
      return next;
    });
  }, []);
  return [draft, change];
}

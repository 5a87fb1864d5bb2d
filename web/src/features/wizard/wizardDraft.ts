import { useCallback, useState } from 'react';
import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import { forgetOrder } from './orderKey.ts';

const KEY = 'sooner.wizard';

/** Country that is chosen first, and listed first. */
export const FIRST_COUNTRY = 'en-ca';

/** Data of the wizard that survives a reload. It never contains the portal password. */
export interface WizardDraft {
  userId: string;
  username: string;
  countryCode: string;
  visaType: 'niv' | 'iv';
  /** Ids of the draft tasks that the user chose in step 2, or null before a choice. */
  selected: string[] | null;
  form: SearchForm | null;
  /** Ids of the draft tasks for which the server has accepted the present criteria. */
  configured: string[];
}

function emptyDraft(userId: string): WizardDraft {
  return { userId, username: '', countryCode: FIRST_COUNTRY, visaType: 'niv', selected: null, form: null, configured: [] };
}

function load(userId: string): WizardDraft {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as WizardDraft | null;
    return stored?.userId === userId ? { ...emptyDraft(userId), ...stored } : emptyDraft(userId);
  } catch {
    return emptyDraft(userId);
  }
}

/** Deletes the draft, at sign-out and after a submission. */
export function forgetWizard(): void {
  forgetOrder();
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}

/**
 * Returns the wizard's draft of a user, and a function that changes it. Changes are stored in
 * session storage.
 */
export function useWizardDraft(userId: string): [WizardDraft, (change: Partial<WizardDraft>) => void] {
  const [draft, setDraft] = useState(() => load(userId));
  const change = useCallback((part: Partial<WizardDraft>) => {
    setDraft((old) => {
      const next = { ...old, ...part };
      try {
        sessionStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // Storage is blocked. The draft exists until the page closes.
      }
      return next;
    });
  }, []);
  return [draft, change];
}

import { createStore } from '../../shared/state/createStore.ts';

/** Ids of the tasks that were submitted last while this page was open, or null. */
export const lastSubmission = createStore<readonly string[] | null>(null);

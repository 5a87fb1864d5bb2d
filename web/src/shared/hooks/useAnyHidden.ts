import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

/**
 * Returns whether anything is hidden on this device, until a list of tasks gives a better answer.
 */
function stored(): boolean {
  try {
    return (localStorage.getItem('sooner.hidden') ?? '[]') !== '[]';
  } catch {
    return false;
  }
}

/** True if a task on the screen hides its applicants. The list of tasks sets it. */
export const anyHidden = createStore(stored());

/** Returns the same, live. Then personal data around the task is hidden too. */
export const useAnyHidden = () => useStore(anyHidden);

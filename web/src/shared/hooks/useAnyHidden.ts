import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

/**
 * Returns whether the user has hidden applicants on this device. It is the initial value until a
 * list of tasks is shown.
 */
function stored(): boolean {
  try {
    return (localStorage.getItem('sooner.hidden') ?? '[]') !== '[]';
  } catch {
    return false;
  }
}

/** True if the screen shows a task with hidden applicants. The list of tasks sets it. */
export const anyHidden = createStore(stored());

/**
 * Returns whether the screen shows a task with hidden applicants. Other personal data is then
 * hidden too.
 */
export const useAnyHidden = () => useStore(anyHidden);

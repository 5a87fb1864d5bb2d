import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

/** Until a list of tasks says better: whether anything at all is hidden on this device. */
function stored(): boolean {
  try {
    return (localStorage.getItem('sooner.hidden') ?? '[]') !== '[]';
  } catch {
    return false;
  }
}

/** Whether a task on the screen hides its people; the list of tasks says so. */
export const somebodyHidden = createStore(stored());

/** The same, live: then what tells of the person is hidden around the task too. */
export const useSomebodyHidden = () => useStore(somebodyHidden);

import { useState } from 'react';

const KEY = 'sooner.hidden';

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether a task's personal data is hidden, remembered on this device, and the way to turn it over. */
export function useHiddenPeople(id: string): [boolean, () => void] {
  const [hidden, setHidden] = useState(() => read().includes(id));
  const toggle = () => {
    const others = read().filter((one) => one !== id);
    setHidden(!hidden);
    try {
      localStorage.setItem(KEY, JSON.stringify(hidden ? others : [...others, id]));
    } catch {
      // Without storage it lasts as long as the page.
    }
  };
  return [hidden, toggle];
}

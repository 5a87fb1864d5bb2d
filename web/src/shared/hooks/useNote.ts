import { useEffect, useState } from 'react';
import { type Note, takeNote } from '../browser/note.ts';

/**
 * Returns the note of the previous page. It is null in the first render, as in a prerendered
 * document.
 */
export function useNote(): Note | null {
  const [note, setNote] = useState<Note | null>(null);
  useEffect(() => {
    const left = takeNote();
    if (left) setNote(left);
  }, []);
  return note;
}

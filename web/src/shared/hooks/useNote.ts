import { useEffect, useState } from 'react';
import { type Note, takeNote } from '../browser/note.ts';

/** What the page before has left for this one; null in the first frame, as in a document that was made ahead. */
export function useNote(): Note | null {
  const [note, setNote] = useState<Note | null>(null);
  useEffect(() => {
    const left = takeNote();
    if (left) setNote(left);
  }, []);
  return note;
}

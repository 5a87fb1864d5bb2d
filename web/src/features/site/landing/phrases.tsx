import type { ReactNode } from 'react';

/** A Chinese heading breaks after its comma or not at all; its parts want `display: inline-block`. */
export function phrases(title: string): ReactNode {
  const parts = title.split(/(?<=，)/);
  return parts.length > 1 ? parts.map((part) => <span key={part}>{part}</span>) : title;
}

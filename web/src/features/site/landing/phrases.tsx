import type { ReactNode } from 'react';

/**
 * Splits a Chinese heading so that it breaks after its comma or not at all. Its parts need
 * `display: inline-block`.
 */
export function phrases(title: string): ReactNode {
  const parts = title.split(/(?<=，)/);
  return parts.length > 1 ? parts.map((part) => <span key={part}>{part}</span>) : title;
}

import type { ReactNode } from 'react';

/**
 * Splits a Chinese heading after its comma, so that it wraps only there. Each part needs `display:
 * inline-block`.
 */
export function phrases(title: string): ReactNode {
  const parts = title.split(/(?<=，)/);
  return parts.length > 1 ? parts.map((part) => <span key={part}>{part}</span>) : title;
}

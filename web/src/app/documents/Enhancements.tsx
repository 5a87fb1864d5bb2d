import { useEffect } from 'react';
import { enhance } from '../../features/site/landing/enhance.ts';

/** Renders nothing. Adds the few scripts that the static parts of the landing page need. */
export function Enhancements() {
  useEffect(() => enhance(document), []);
  return null;
}

import { useEffect } from 'react';
import { enhance } from '../../features/site/landing/enhance.ts';

/** Adds scripts to the static parts of the landing page. Renders nothing. */
export function Enhancements() {
  useEffect(() => enhance(document), []);
  return null;
}

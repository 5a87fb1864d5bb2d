import { useEffect } from 'react';
import { enhance } from '../../features/site/landing/enhance.ts';

/** Shows nothing: gives the parts of the landing that stay as they are the little they want of script. */
export function Enhancements() {
  useEffect(() => enhance(document), []);
  return null;
}

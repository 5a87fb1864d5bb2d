import type { ComponentType } from 'react';
import { ThemeRoot, ThemeRules } from './ThemeRoot.tsx';

/** A page that still has parts of MUI, with MUI's theme and rules around it; pages without them load none of it. */
export function withMui(Page: ComponentType): ComponentType {
  return function MuiPage() {
    return (
      <ThemeRoot>
        <ThemeRules />
        <Page />
      </ThemeRoot>
    );
  };
}

import { ThemeContext } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import DefaultPropsProvider from '@mui/material/DefaultPropsProvider';
import GlobalStyles from '@mui/material/GlobalStyles';
import type { ComponentProps, ReactNode } from 'react';
import { theme } from './theme.ts';

// The provider's own type knows nothing of themes with variables.
const defaults = theme.components as ComponentProps<typeof DefaultPropsProvider>['value'];

/**
 * Gives MUI's parts the theme. Not MUI's own provider, which makes a new theme whenever the scheme changes, so that everything
 * on the page is drawn again: here colours are CSS variables, and the scheme is an attribute of <html> (scheme.ts).
 */
export function ThemeRoot({ children }: { children: ReactNode }) {
  return (
    <ThemeContext value={theme}>
      <DefaultPropsProvider value={defaults}>{children}</DefaultPropsProvider>
    </ThemeContext>
  );
}

const variables = theme.generateStyleSheets();

/** The rules of every page: both schemes' variables, and what bare elements look like. */
export function ThemeRules() {
  return (
    <>
      <ThemeVariables />
      <CssBaseline />
    </>
  );
}

/** Only the variables. */
export function ThemeVariables() {
  return <GlobalStyles styles={variables} />;
}

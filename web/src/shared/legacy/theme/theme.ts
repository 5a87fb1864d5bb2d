import { createTheme } from '@mui/material/styles';
import { components } from './components.ts';
import { darkPalette, lightPalette } from './palette.ts';
import { shadows } from './shadows.ts';
import { typography } from './typography.ts';

/** The one theme: both schemes as CSS variables, switched by `data-theme` on <html>. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: '[data-theme="%s"]' },
  colorSchemes: { light: { palette: lightPalette }, dark: { palette: darkPalette } },
  typography,
  shape: { borderRadius: 12 },
  spacing: 8,
  shadows,
  transitions: {
    duration: { shortest: 120, shorter: 120, short: 200, standard: 200, complex: 360 },
    easing: { easeInOut: 'cubic-bezier(.2,.7,.2,1)' },
  },
  components,
});

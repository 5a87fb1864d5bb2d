import GlobalStyles from '@mui/material/GlobalStyles';
import { lightPalette } from '../theme/palette.ts';

const { text, background, divider } = lightPalette;

/** On paper only what is in `main`, in the light colours whatever the theme: the app's frame and the buttons stay away. */
const printed = {
  '@media print': {
    'header, footer, nav, .no-print, :has(~ main), main ~ *, [data-sonner-toaster]': { display: 'none !important' },
    ':root, [data-theme]': {
      '--mui-palette-text-primary': `${text?.primary} !important`,
      '--mui-palette-text-secondary': `${text?.secondary} !important`,
      '--mui-palette-text-tertiary': `${text?.tertiary} !important`,
      '--mui-palette-background-default': `${background?.paper} !important`,
      '--mui-palette-background-paper': `${background?.paper} !important`,
      '--mui-palette-divider': `${divider} !important`,
    },
    'main, main > *': { padding: '0 !important' },
    '@page': { margin: '18mm' },
  },
} as const;

/** Makes a page print as a sheet of its own; buttons carry the class `no-print`. */
export function PrintSheet() {
  return <GlobalStyles styles={printed} />;
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import GlobalStyles from '@mui/material/GlobalStyles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from './Icon.tsx';
import { Mark } from './Mark.tsx';
import { lightPalette } from './theme/palette.ts';

const { text, background, divider } = lightPalette;

/** On paper only what is in `main`, in the light colours whatever the theme: the app's frame and the buttons stay away. */
const printed = {
  '@media print': {
    'header, footer, nav, .no-print, :has(~ main), main ~ *, [data-toasts]': { display: 'none !important' },
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

/** What stands above a sheet on the screen and not on paper: the way back, and printing. */
export function PrintBar({ to, back, print }: { to: string; back: string; print?: string }) {
  return (
    <Box
      className="no-print"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center', justifyContent: 'space-between', mb: 2 }}
    >
      <GlobalStyles styles={printed} />
      <Button
        component={Link}
        to={to}
        variant="text"
        size="small"
        startIcon={<Icon name="arrowLeft" size={16} />}
        sx={{ ml: -1.5 }}
      >
        {back}
      </Button>
      {print && (
        <Button onClick={() => window.print()} startIcon={<Icon name="printer" size={18} />}>
          {print}
        </Button>
      )}
    </Box>
  );
}

/** A page that prints as a sheet of its own: its title, ours, and what it says. */
export function PrintSheet({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Card
      component="article"
      aria-labelledby="sheet-title"
      sx={{
        p: { xs: 2.5, sm: 5 },
        display: 'grid',
        gap: 4,
        '@media print': { border: 0, boxShadow: 'none', p: 0 },
      }}
    >
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography variant="h3" component="h1" id="sheet-title">
          {title}
        </Typography>
        <Box sx={{ display: 'flex', flex: 'none', gap: 1, alignItems: 'center', fontWeight: 600 }}>
          <Mark />
          {t('brand.name')}
        </Box>
      </Box>
      {children}
    </Card>
  );
}

import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';

type Overrides = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

/** How MUI's parts wear the design language: 24 px buttons, outlined fields on paper, hairline cards, inverted tooltips. */
export const components: Overrides = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      html: { scrollBehavior: 'smooth', scrollPaddingTop: 88, WebkitTextSizeAdjust: '100%' },
      body: {
        fontSynthesis: 'none',
        textWrap: 'pretty',
        textRendering: 'optimizeLegibility',
        lineBreak: 'strict',
        overflowWrap: 'anywhere',
      },
      'h1,h2,h3,h4,p,ul,ol,dl,dd,dt,figure,fieldset': { margin: 0, padding: 0, border: 0 },
      'ul,ol': { listStyle: 'none' },
      'h1,h2,h3': { textWrap: 'balance' },
      a: { color: theme.vars.palette.primary.ink, textUnderlineOffset: '3px' },
      ':focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2, borderRadius: 6 },
      '@media (prefers-reduced-motion: reduce)': {
        html: { scrollBehavior: 'auto' },
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          animationIterationCount: '1 !important',
          transitionDuration: '0.01ms !important',
        },
      },
    }),
  },
  MuiContainer: { defaultProps: { maxWidth: 'lg' } },
  MuiButtonBase: { defaultProps: { disableRipple: true }, styleOverrides: { root: { fontFamily: 'inherit' } } },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: 'contained' },
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 24,
        minHeight: 44,
        minWidth: 0,
        padding: '0 20px',
        fontSize: 15,
        lineHeight: 1.2,
        whiteSpace: 'nowrap',
        textDecoration: 'none',
        '&.Mui-focusVisible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
        '&.Mui-disabled': {
          backgroundColor: theme.vars.palette.neutral.soft,
          color: theme.vars.palette.text.tertiary,
          borderColor: 'transparent',
        },
        variants: [
          { props: { size: 'small' }, style: { minHeight: 36, padding: '0 14px', fontSize: 14 } },
          { props: { size: 'large' }, style: { minHeight: 52, padding: '0 28px', fontSize: 16 } },
          {
            props: { variant: 'contained', color: 'primary' },
            style: { '&:hover': { backgroundColor: theme.vars.palette.primary.ink } },
          },
          {
            props: { variant: 'outlined' },
            style: {
              backgroundColor: theme.vars.palette.background.paper,
              borderColor: theme.vars.palette.control,
              color: theme.vars.palette.text.primary,
              '&:hover': { backgroundColor: theme.vars.palette.background.quiet, borderColor: theme.vars.palette.text.secondary },
            },
          },
          {
            props: { variant: 'outlined', color: 'error' },
            style: { borderColor: theme.vars.palette.divider, color: theme.vars.palette.error.ink },
          },
          {
            props: { variant: 'text' },
            style: {
              color: theme.vars.palette.primary.ink,
              padding: '0 12px',
              '&:hover': { backgroundColor: theme.vars.palette.primary.soft },
            },
          },
          {
            props: { variant: 'text', color: 'error' },
            style: { color: theme.vars.palette.error.ink, '&:hover': { backgroundColor: theme.vars.palette.error.soft } },
          },
          {
            props: { variant: 'soft' },
            style: {
              backgroundColor: theme.vars.palette.primary.soft,
              color: theme.vars.palette.primary.ink,
              '&:hover': { backgroundColor: theme.vars.palette.primary.soft2 },
            },
          },
          {
            props: { variant: 'ghost' },
            style: {
              color: theme.vars.palette.text.primary,
              padding: '0 14px',
              '&:hover': { backgroundColor: theme.vars.palette.neutral.soft },
            },
          },
          {
            props: { variant: 'onDeep' },
            style: {
              backgroundColor: theme.vars.palette.deep.contrastText,
              color: theme.vars.palette.deep.main,
              '&:hover': { backgroundColor: theme.vars.palette.deep.ink },
            },
          },
        ],
      }),
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        width: 36,
        height: 36,
        color: theme.vars.palette.text.secondary,
        '&:hover': { backgroundColor: theme.vars.palette.neutral.soft, color: theme.vars.palette.text.primary },
        '&.Mui-focusVisible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 0 },
      }),
    },
  },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' }, rounded: { borderRadius: 16 } } },
  MuiCard: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: 16,
        border: `1px solid ${theme.vars.palette.divider}`,
        boxShadow: theme.shadows[1],
        overflow: 'visible',
      }),
    },
  },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 48,
        backgroundColor: theme.vars.palette.background.paper,
        fontSize: 16,
        '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.control },
        '&.Mui-focused': { boxShadow: `0 0 0 3px ${theme.vars.palette.ring}`, borderRadius: 12 },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderWidth: 1, borderColor: theme.vars.palette.primary.main },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.error.ink },
      }),
      input: ({ theme }) => ({
        padding: '0 14px',
        height: 46,
        '&::placeholder': { color: theme.vars.palette.text.tertiary, opacity: 1 },
      }),
    },
  },
  MuiDialog: {
    styleOverrides: {
      paper: {
        '&:not(.MuiDialog-paperFullScreen)': { borderRadius: 16, margin: 16 },
        '&.MuiDialog-paperFullScreen': { borderRadius: 0 },
      },
    },
  },
  MuiDialogTitle: { styleOverrides: { root: { fontSize: 18, fontWeight: 600, padding: '20px 24px 8px' } } },
  MuiDialogActions: { styleOverrides: { root: { padding: '12px 24px 20px', gap: 8, flexWrap: 'wrap' } } },
  MuiBackdrop: {
    styleOverrides: { root: ({ theme }) => ({ '&:not(.MuiBackdrop-invisible)': { backgroundColor: theme.vars.palette.scrim } }) },
  },
  MuiMenu: {
    styleOverrides: { paper: ({ theme }) => ({ borderRadius: 12, border: `1px solid ${theme.vars.palette.divider}` }) },
  },
  MuiMenuItem: { styleOverrides: { root: { minHeight: 44, fontSize: 15 } } },
  MuiTooltip: {
    styleOverrides: {
      tooltip: ({ theme }) => ({
        backgroundColor: theme.vars.palette.background.inverse,
        color: theme.vars.palette.background.default,
        fontSize: 13,
        lineHeight: 1.55,
        borderRadius: 8,
        padding: '8px 12px',
      }),
    },
  },
  MuiSkeleton: {
    styleOverrides: { root: ({ theme }) => ({ backgroundColor: theme.vars.palette.background.track, borderRadius: 8 }) },
  },
  MuiPaginationItem: {
    styleOverrides: {
      root: ({ theme }) => ({
        '&.Mui-selected, &.Mui-selected:hover': {
          backgroundColor: theme.vars.palette.primary.soft,
          color: theme.vars.palette.primary.ink,
          fontWeight: 600,
        },
      }),
    },
  },
  MuiCheckbox: { styleOverrides: { root: ({ theme }) => ({ color: theme.vars.palette.control }) } },
  MuiRadio: { styleOverrides: { root: ({ theme }) => ({ color: theme.vars.palette.control }) } },
  MuiAccordion: {
    defaultProps: { disableGutters: true, elevation: 0, square: true },
    styleOverrides: {
      root: ({ theme }) => ({
        backgroundColor: 'transparent',
        borderBottom: `1px solid ${theme.vars.palette.divider}`,
        '&::before': { display: 'none' },
      }),
    },
  },
};

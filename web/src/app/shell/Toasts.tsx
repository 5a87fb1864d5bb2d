import GlobalStyles from '@mui/material/GlobalStyles';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect } from 'react';
import { Toaster } from 'sonner';
import { toastsMounted } from '../../shared/ui/toasts.ts';

/**
 * Where toasts appear: inverted paper, errors soft red, 6 s. On a phone they lie over the sticky header, because above the
 * bottom bar they would hide the head of the task they speak of.
 */
export function Toasts() {
  const { vars, breakpoints } = useTheme();
  useEffect(toastsMounted, []);
  const phone = useMediaQuery(breakpoints.down('sm'));
  const failed = {
    '[data-sonner-toast].sooner-toast-error': {
      background: `${vars.palette.error.soft} !important`,
      color: `${vars.palette.error.ink} !important`,
      boxShadow: `inset 0 0 0 1px ${vars.palette.error.ink}`,
    },
  };
  return (
    <>
      <GlobalStyles styles={failed} />
      <Toaster
        position={phone ? 'top-center' : 'bottom-center'}
        duration={6000}
        offset={24}
        mobileOffset={{ top: 4, bottom: 84, left: 16, right: 16 }}
        toastOptions={{
          style: {
            fontFamily: 'var(--font)',
            fontSize: 14,
            lineHeight: 1.5,
            borderRadius: 12,
            border: 0,
            background: vars.palette.background.inverse,
            color: vars.palette.background.default,
          },
          classNames: { error: 'sooner-toast-error' },
          actionButtonStyle: {
            background: 'transparent',
            color: 'inherit',
            textDecoration: 'underline',
            fontWeight: 600,
            fontSize: 14,
            minHeight: 28,
          },
        }}
      />
    </>
  );
}

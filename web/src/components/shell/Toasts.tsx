import { useTheme } from '@mui/material/styles';
import { Toaster } from 'sonner';

/** Where toasts appear: inverted paper, errors soft red, 6 s; above the phone's bottom bar. */
export function Toasts() {
  const { vars } = useTheme();
  return (
    <Toaster
      position="bottom-center"
      duration={6000}
      offset={24}
      mobileOffset={{ bottom: 84, left: 16, right: 16 }}
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
  );
}

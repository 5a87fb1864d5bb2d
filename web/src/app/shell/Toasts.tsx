import { AppUiTexts } from '../../shared/i18n/AppUiTexts.tsx';
import { Toaster } from '../../shared/ui/Toast.tsx';

/** Renders the toasts with the texts of their components. The code is a separate chunk. */
export function Toasts() {
  return (
    <AppUiTexts>
      <Toaster />
    </AppUiTexts>
  );
}

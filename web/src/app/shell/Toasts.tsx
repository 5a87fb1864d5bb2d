import { AppUiTexts } from '../../shared/i18n/AppUiTexts.tsx';
import { Toaster } from '../../shared/ui/Toast.tsx';

/** Renders the toasts with their own texts. It is a chunk of its own. */
export function Toasts() {
  return (
    <AppUiTexts>
      <Toaster />
    </AppUiTexts>
  );
}

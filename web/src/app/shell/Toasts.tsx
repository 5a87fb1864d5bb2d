import { AppUiWords } from '../../shared/i18n/AppUiWords.tsx';
import { Toaster } from '../../shared/ui/Toast.tsx';

/** The toasts with the words of their own; a chunk of its own. */
export function Toasts() {
  return (
    <AppUiWords>
      <Toaster />
    </AppUiWords>
  );
}

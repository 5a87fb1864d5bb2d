import '../theme/fonts.css';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { startSession } from '../api/session.ts';
import { toLanguage } from '../i18n/language.ts';
import { speak } from '../i18n/speak.ts';
import { readFacts } from './facts.tsx';
import { OpenApp } from './OpenApp.tsx';
import { openPageAt } from './pages.ts';

const root = document.getElementById('root');
const page = openPageAt(window.location.pathname);
if (!root || !page) throw new Error('this document is not an open page');

/** Makes the page live, in the language it was rendered in; resolves when it can be pressed. */
export const alive = Promise.all([
  speak(toLanguage(root.dataset.lang)),
  startSession(),
  // The form's own chunk, so that what was pressed in it meets a living form.
  page === 'home' ? import('../components/auth/RegisterFields.tsx') : null,
]).then(
  () =>
    new Promise<void>((resolve) => {
      hydrateRoot(
        root,
        <StrictMode>
          <OpenApp page={page} facts={readFacts()} />
        </StrictMode>,
      );
      // Twice: the first frame is React's, the second sees what it did.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    }),
);

// Runs after first.js in the sign-in documents, as part of the same script. Stores a press before
// the page is interactive, which firstPress.ts repeats. Enter in a field presses the button of its
// form. Typing afterwards cancels the press.
const unpress = () => document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
const press = (event) => {
  const button = event.target.closest('button');
  if (!button || 'alive' in root.dataset) return;
  unpress();
  button.dataset.pressed = '';
};
addEventListener('click', press, true);
addEventListener('input', () => 'alive' in root.dataset || unpress(), true);
try {
  if (localStorage.getItem('sooner.letters')) root.dataset.letters = '';
  // The app has just found that no user is signed in (shared/routing/origin.ts).
  const away = sessionStorage.getItem('sooner.turnedAway');
  sessionStorage.removeItem('sooner.turnedAway');
  if (away) root.dataset.turnedAway = '';
  const kept = JSON.parse(localStorage.getItem('sooner.refresh') ?? sessionStorage.getItem('sooner.refresh'));
  const good = kept?.user && (kept.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now();
  if ('guests' in document.currentScript.dataset && good && !away) {
    const to = new URL(asked.get('next') || '/dashboard', location.origin);
    // Same rule as in shared/routing/origin.ts.
    const ours = to.origin === location.origin && /^\/(?!\/|(?:auth|api)(?:\/|$))/.test(to.pathname);
    root.hidden = true;
    location.replace(ours ? to.pathname + to.search + to.hash : '/dashboard');
  }
} catch {
  // Storage is blocked or the address is invalid. The page's code then decides.
}

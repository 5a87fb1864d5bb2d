// Runs after first.js, in one script with it, in the sign-in documents. A press is stored for the
// page's code, which repeats it (firstPress.ts); Enter in a form presses its button. Further typing
// withdraws the press.
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
  // The app has just found that no user is signed in here (shared/routing/origin.ts).
  const away = sessionStorage.getItem('sooner.turnedAway');
  sessionStorage.removeItem('sooner.turnedAway');
  if (away) root.dataset.turnedAway = '';
  const kept = JSON.parse(localStorage.getItem('sooner.refresh') ?? sessionStorage.getItem('sooner.refresh'));
  const good = kept?.user && (kept.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now();
  if ('guests' in document.currentScript.dataset && good && !away) {
    const to = new URL(asked.get('next') || '/dashboard', location.origin);
    // The same rule as in shared/routing/origin.ts.
    const ours = to.origin === location.origin && /^\/(?!\/|(?:auth|api)(?:\/|$))/.test(to.pathname);
    root.hidden = true;
    location.replace(ours ? to.pathname + to.search + to.hash : '/dashboard');
  }
} catch {
  // As above: the page's code finds out whether a user is signed in.
}

/**
 * Repeats a press that came before the page was interactive, which the document's first script
 * stored (firstAuth.js). Later presses are handled by the page.
 */
export function repeatFirstPress(): void {
  document.documentElement.dataset.alive = '';
  const button = document.querySelector<HTMLButtonElement>('button[data-pressed]');
  if (!button) return;
  delete button.dataset.pressed;
  // Submits the form instead of clicking its button. The button may still be disabled, because the
  // form has not checked its fields yet.
  if (button.type === 'submit' && button.form) button.form.requestSubmit();
  else button.click();
}

/**
 * Repeats the press that came before the page was interactive. The document's first script stored
 * it (first.js). From then on pages handle presses themselves.
 */
export function repeatFirstPress(): void {
  document.documentElement.dataset.alive = '';
  const button = document.querySelector<HTMLButtonElement>('button[data-pressed]');
  if (!button) return;
  delete button.dataset.pressed;
  // Does not click the button. A form's button is disabled until its fields are known to be filled
  // in, and nothing has checked that yet.
  if (button.type === 'submit' && button.form) button.form.requestSubmit();
  else button.click();
}

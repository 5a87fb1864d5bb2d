/** Makes the press again that came before the page was alive, which the document's first script kept (first.js); from now on pages hear for themselves. */
export function repeatFirstPress(): void {
  document.documentElement.dataset.alive = '';
  const button = document.querySelector<HTMLButtonElement>('button[data-pressed]');
  if (!button) return;
  delete button.dataset.pressed;
  // Not a click: the button of a form rests until its fields are known to be filled in, which nobody has looked at yet.
  if (button.type === 'submit' && button.form) button.form.requestSubmit();
  else button.click();
}

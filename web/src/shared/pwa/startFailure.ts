import type { Language } from '../i18n/language.ts';
import { offlineTexts } from './offlineTexts.ts';

/**
 * Shows in the skeleton (app/documents/FirstLook.astro) that the app could not start, because texts
 * or code did not load. It uses the texts of the offline page.
 */
export function showStartFailure(root: HTMLElement, language: Language, retry = () => window.location.reload()): void {
  const texts = offlineTexts[language];
  const part = (tag: string, className: string, text = '') =>
    Object.assign(document.createElement(tag), { className, textContent: text });
  const card = part('main', 'first-card');
  card.role = 'alert';
  const button = part('button', 'first-retry', texts.retry);
  button.addEventListener('click', retry);
  card.append(part('h1', 'first-title', texts.unreachable), part('p', 'first-lead', texts.unreachableText), button);
  const page = part('div', 'first');
  page.append(card);
  root.replaceChildren(page);
}

import type { Language } from '../i18n/language.ts';
import { offlineWords } from './offlineWords.ts';

/**
 * Shows in the skeleton (app/documents/FirstLook.astro) that the app did not start, because its
 * texts or the session's code did not load. It has its own texts, like the offline page.
 */
export function showStartFailure(root: HTMLElement, language: Language, retry = () => window.location.reload()): void {
  const words = offlineWords[language];
  const part = (tag: string, className: string, text = '') =>
    Object.assign(document.createElement(tag), { className, textContent: text });
  const card = part('main', 'first-card');
  card.role = 'alert';
  const button = part('button', 'first-retry', words.retry);
  button.addEventListener('click', retry);
  card.append(part('h1', 'first-title', words.unreachable), part('p', 'first-lead', words.unreachableText), button);
  const page = part('div', 'first');
  page.append(card);
  root.replaceChildren(page);
}

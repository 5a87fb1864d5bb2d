import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConditionalNumber } from '../../../shared/api/facts.tsx';
import { useIdentity } from '../../../shared/api/useIdentity.ts';
import { paths } from '../../../shared/routing/paths.ts';
import { Button, ButtonLink } from '../../../shared/ui/Button.tsx';
import { Link } from '../../../shared/ui/Link.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import styles from './FaqPage.module.css';
import { faqItems } from './faqItems.ts';
import { readFaqKeys, storeFaqKeys } from './faqRead.ts';

const allKeys = faqItems.map((item) => item.key);
const freeKeys = faqItems.filter((item) => !item.money);

const questionOf = (key: string) => document.getElementById(key)?.closest('details') ?? null;
const keyOf = (question: Element) => question.querySelector('[id]')?.id ?? '';

/** Marks the link to a question in the list if the question is open. */
const markLink = (question: HTMLDetailsElement) =>
  document.querySelector(`nav a[href="#${keyOf(question)}"]`)?.toggleAttribute('data-open', question.open);

/** Opens or closes all questions. This does not mark them as read. */
function setAllOpen(open: boolean): void {
  for (const key of allKeys) questionOf(key)?.toggleAttribute('open', open);
}

/** Provides the read questions and functions that mark them. They are stored in this browser. */
function useRead() {
  const [read, setRead] = useState<string[]>([]);
  const markRead = useCallback((keys: string[]) => {
    const all = new Set([...readFaqKeys(), ...keys]);
    storeFaqKeys([...all]);
    setRead(allKeys.filter((key) => all.has(key)));
  }, []);
  useEffect(() => {
    for (const key of allKeys) questionOf(key)?.toggleAttribute('data-read', read.includes(key));
  }, [read]);
  return { read, markRead };
}

/** Calls `markRead` for each question that the user opens. */
function useQuestions(markRead: (keys: string[]) => void): void {
  useEffect(() => {
    const questions = allKeys.flatMap((key) => questionOf(key) ?? []);
    // Questions that the user opened before the code loaded count as read.
    markRead(questions.filter((one) => one.open).map(keyOf));
    const opened = ({ currentTarget }: Event) => {
      const question = (currentTarget as Element).closest('details');
      if (question && !question.open) markRead([keyOf(question)]);
    };
    const toggled = ({ currentTarget }: Event) => markLink(currentTarget as HTMLDetailsElement);
    const byAddress = () => {
      const key = window.location.hash.slice(1);
      if (!allKeys.includes(key)) return;
      questionOf(key)?.setAttribute('open', '');
      markRead([key]);
      document.getElementById(key)?.scrollIntoView?.();
    };
    for (const question of questions) {
      markLink(question);
      question.querySelector('summary')?.addEventListener('click', opened);
      question.addEventListener('toggle', toggled);
    }
    byAddress();
    window.addEventListener('hashchange', byAddress);
    return () => {
      window.removeEventListener('hashchange', byAddress);
      for (const question of questions) {
        question.querySelector('summary')?.removeEventListener('click', opened);
        question.removeEventListener('toggle', toggled);
      }
    };
  }, [markRead]);
}

/**
 * Renders the buttons above the questions (open all, close all, mark all as read) and the number of
 * read questions.
 */
export function FaqTools() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const { read, markRead } = useRead();
  useQuestions(markRead);
  const all = useConditionalNumber('billing_off', freeKeys.length, allKeys.length);
  const readHere = read.filter((key) => questionOf(key)).length;
  return (
    <div className={styles.tools}>
      <Button variant="secondary" size="small" onClick={() => setAllOpen(true)}>
        {t('faq.expandAll')}
      </Button>
      <Button variant="secondary" size="small" onClick={() => setAllOpen(false)}>
        {t('faq.collapseAll')}
      </Button>
      <Button variant="ghost" size="small" disabled={String(readHere) === all} onClick={() => markRead(allKeys)}>
        {t('faq.markAll')}
      </Button>
      {/* A guest cannot open the dashboard, so the link leads to the home page. */}
      <ButtonLink render={<Link to={identity ? paths.dashboard : paths.home} />} variant="ghost" size="small">
        {t(identity ? 'wizard.toDashboard' : 'faq.toHome')}
      </ButtonLink>
      <Text as="span" variant="caption" color="tertiary" className={styles.progress}>
        {t('faq.progress', { read: readHere, all })}
      </Text>
    </div>
  );
}

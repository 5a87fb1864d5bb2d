import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentity } from '../../../shared/api/useIdentity.ts';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { paths } from '../../../shared/routing/paths.ts';
import { Button, ButtonLink } from '../../../shared/ui/Button.tsx';
import { Card } from '../../../shared/ui/Card.tsx';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Link } from '../../../shared/ui/Link.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { readFaqKeys, storeFaqKeys } from '../faqRead.ts';
import styles from './FaqPage.module.css';
import { faqItems } from './faqItems.ts';
import { Question } from './Question.tsx';

const allKeys = faqItems.map((item) => item.key);
const joined = (some: string[], more: string[]) => [...new Set([...some, ...more])];

/** What is open and what was read. A document that was made ahead knows neither: marks come after its first frame. */
function useReading() {
  const [open, setOpen] = useState<string[]>([]);
  const [read, setRead] = useState<string[]>([]);
  const markRead = useCallback((keys: string[]) => {
    setRead((before) => joined(before, keys));
    storeFaqKeys(joined(readFaqKeys(), keys));
  }, []);
  const toggle = useCallback(
    (key: string, expanded: boolean) =>
      setOpen((before) => (expanded ? joined(before, [key]) : before.filter((one) => one !== key))),
    [],
  );
  useEffect(() => {
    setRead(readFaqKeys());
    const byAddress = () => {
      const key = window.location.hash.slice(1);
      if (!allKeys.includes(key)) return;
      toggle(key, true);
      markRead([key]);
      document.getElementById(key)?.scrollIntoView?.();
    };
    byAddress();
    window.addEventListener('hashchange', byAddress);
    return () => window.removeEventListener('hashchange', byAddress);
  }, [markRead, toggle]);
  return { open, setOpen, read: read.filter((key) => allKeys.includes(key)), markRead, toggle };
}

/** /faq: six questions, each with an address of its own; what was opened counts as read, and that is remembered here. */
export function FaqPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const { open, setOpen, read, markRead, toggle } = useReading();
  const readOne = useCallback((key: string) => markRead([key]), [markRead]);
  usePageTitle(t('faq.title'));
  return (
    <Container className={styles.page}>
      <div className={styles.aside}>
        <Text as="h1" variant="h2">
          {t('faq.title')}
        </Text>
        <Text color="secondary" className={styles.lead}>
          {t('faq.lead')}
        </Text>
        <nav aria-label={t('faq.jump')} className={styles.jump}>
          <ul>
            {faqItems.map((item) => (
              <li key={item.key}>
                <a href={`#${item.key}`} data-open={open.includes(item.key) || undefined}>
                  {t(item.question)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.more}>
          <p>{t('faq.moreText')}</p>
          <p className={styles.ways}>
            <a href={`${paths.home}#contact`}>{t('faq.moreContact')}</a>
            <Link to={paths.privacy}>{t('footer.privacy')}</Link>
          </p>
        </div>
      </div>
      <div>
        <div className={styles.tools}>
          <Button variant="secondary" size="small" onClick={() => setOpen(allKeys)}>
            {t('faq.expandAll')}
          </Button>
          <Button variant="secondary" size="small" onClick={() => setOpen([])}>
            {t('faq.collapseAll')}
          </Button>
          <Button variant="ghost" size="small" disabled={read.length === allKeys.length} onClick={() => markRead(allKeys)}>
            {t('faq.markAll')}
          </Button>
          {identity && (
            <ButtonLink render={<Link to={paths.dashboard} />} variant="ghost" size="small">
              {t('wizard.toDashboard')}
            </ButtonLink>
          )}
          <Text as="span" variant="caption" color="tertiary" className={styles.progress}>
            {t('faq.progress', { read: read.length, all: allKeys.length })}
          </Text>
        </div>
        <Card className={styles.questions}>
          {faqItems.map((item) => (
            <Question
              key={item.key}
              item={item}
              open={open.includes(item.key)}
              read={read.includes(item.key)}
              onToggle={toggle}
              onRead={readOne}
            />
          ))}
        </Card>
      </div>
    </Container>
  );
}

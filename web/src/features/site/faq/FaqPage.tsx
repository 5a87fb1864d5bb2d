import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WhereBilled } from '../../../shared/api/facts.tsx';
import { paths } from '../../../shared/routing/paths.ts';
import { Card } from '../../../shared/ui/Card.tsx';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Link } from '../../../shared/ui/Link.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import styles from './FaqPage.module.css';
import { faqItems } from './faqItems.ts';
import { Question } from './Question.tsx';

/**
 * Renders /faq: six questions, each with an anchor. The page is static, and search engines read its
 * schema.org markup. `tools` are its interactive elements (FaqTools.tsx).
 */
export function FaqPage({ tools }: { tools: ReactNode }) {
  const { t } = useTranslation();
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
              <WhereBilled key={item.key} always={!item.money}>
                <li>
                  <a href={`#${item.key}`}>{t(item.question)}</a>
                </li>
              </WhereBilled>
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
        {tools}
        <Card className={styles.questions} itemScope itemType="https://schema.org/FAQPage">
          {faqItems.map((item) => (
            <WhereBilled key={item.key} always={!item.money}>
              <Question item={item} />
            </WhereBilled>
          ))}
        </Card>
      </div>
    </Container>
  );
}

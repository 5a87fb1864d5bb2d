import { Check, ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Badge } from '../../../shared/ui/Badge.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { FaqItem } from './faqItems.ts';
import styles from './Question.module.css';

/** Renders one question with its answer as a `<details>` element, which works without scripts. */
export function Question({ item: { key, question, answer, price, places, rules } }: { item: FaqItem }) {
  const { t } = useTranslation();
  const facts = useFacts();
  const language = useLanguage();
  return (
    <details className={styles.question} itemScope itemProp="mainEntity" itemType="https://schema.org/Question">
      <summary>
        <h2 itemProp="name">{t(question)}</h2>
        {/* FaqTools.tsx makes this visible when the question is read. */}
        <span className={styles.read}>
          <Badge tone="quiet" icon={Check}>
            {t('faq.read')}
          </Badge>
        </span>
        <Icon of={ChevronDown} />
      </summary>
      <div className={styles.answer} id={key} itemScope itemProp="acceptedAnswer" itemType="https://schema.org/Answer">
        <div itemProp="text">
          <p>{t(answer)}</p>
          <ul>
            {price && (
              <If fact="price">
                <li>{t(price, { price: facts.price })}</li>
              </If>
            )}
            {places && (
              <If fact="places_en">
                <li>{t(places, { places: facts[`places_${language}`] })}</li>
              </If>
            )}
            {rules.map((rule) => (
              <li key={rule}>{t(rule)}</li>
            ))}
          </ul>
        </div>
      </div>
    </details>
  );
}

import { Check, ChevronDown } from 'lucide-react';
import { type Ref, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../shared/ui/Badge.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { FaqItem } from './faqItems.ts';
import styles from './Question.module.css';

interface Props {
  item: FaqItem;
  open: boolean;
  read: boolean;
  onToggle: (key: string, open: boolean) => void;
  /** Somebody opens it to read it; all at once is not reading. */
  onRead: (key: string) => void;
}

/** One question with its answer; opened and closed by the browser, so that it can be read without script. */
export function Question({ item: { key, question, answer, rules }, open, read, onToggle, onRead }: Props) {
  const { t } = useTranslation();
  // A question that was opened before the page came alive, or by its address, is open already.
  const first: Ref<HTMLDetailsElement> = useCallback(
    (element: HTMLDetailsElement | null) => {
      if (!element?.open) return;
      onToggle(key, true);
      onRead(key);
    },
    [key, onToggle, onRead],
  );
  return (
    <details ref={first} open={open} onToggle={(event) => onToggle(key, event.currentTarget.open)} className={styles.question}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control, and keys click it */}
      <summary onClick={() => open || onRead(key)}>
        <h2>{t(question)}</h2>
        {read && (
          <Badge tone="quiet" icon={Check}>
            {t('faq.read')}
          </Badge>
        )}
        <Icon of={ChevronDown} />
      </summary>
      <div className={styles.answer} id={key}>
        <p>{t(answer)}</p>
        <ul>
          {rules.map((rule) => (
            <li key={rule}>{t(rule)}</li>
          ))}
        </ul>
      </div>
    </details>
  );
}

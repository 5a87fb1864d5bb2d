import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled } from '../../../shared/api/facts.tsx';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import styles from './PolicyPage.module.css';
import type { Point, PolicyPart } from './policyParts.ts';

interface Props {
  heading: TextKey;
  lead: TextKey;
  /** Date of the last change, as text. */
  changed: TextKey;
  /** Title of the table of contents. */
  contents: TextKey;
  parts: readonly PolicyPart[];
  /** Content to add at the end of a part, by the part's id. */
  after?: Readonly<Record<string, ReactNode>>;
}

/**
 * Renders a page of legal texts in parts, with a table of contents. The page is static and has no
 * scripts.
 */
export function PolicyPage({ heading, lead, changed, contents, parts, after = {} }: Props) {
  const { t } = useTranslation();
  usePageTitle(t(heading));
  return (
    <Container className={styles.page}>
      <aside className={styles.aside}>
        <Text as="h1" variant="h2">
          {t(heading)}
        </Text>
        <Text color="secondary" className={styles.lead}>
          {t(lead)}
        </Text>
        <Text variant="caption" color="tertiary" className={styles.lead}>
          {t(changed)}
        </Text>
        <nav className={styles.contents} aria-label={t(contents)}>
          <ul>
            {parts.map((part) => (
              <WhereBilled key={part.id} always={!part.money}>
                <li>
                  <a href={`#${part.id}`}>{t(part.title)}</a>
                </li>
              </WhereBilled>
            ))}
          </ul>
        </nav>
      </aside>
      <article className={styles.text}>
        {parts.map((part) => (
          <WhereBilled key={part.id} always={!part.money}>
            <section id={part.id} className={styles.part}>
              <h2>{t(part.title)}</h2>
              {part.text && <p>{t(part.text)}</p>}
              {part.points.length > 0 && (
                <ul>
                  {part.points.map((point) => (
                    <PointItem key={typeof point === 'string' ? point : point.textKey} point={point} />
                  ))}
                </ul>
              )}
              {after[part.id]}
            </section>
          </WhereBilled>
        ))}
      </article>
    </Container>
  );
}

function PointItem({ point }: { point: Point }) {
  if (typeof point === 'string') return <Sentence textKey={point} />;
  return (
    <If {...('fact' in point ? { fact: point.fact } : { not: point.without, otherwise: true })}>
      <Sentence textKey={point.textKey} />
    </If>
  );
}

function Sentence({ textKey }: { textKey: TextKey }) {
  const { t } = useTranslation();
  const facts = useFacts();
  const { price, card_min, card_max, referral_off, referral_bonus, tax, operator, operator_address, operator_contact } = facts;
  const values = { price, card_min, card_max, referral_off, referral_bonus, tax, operator, operator_address, operator_contact };
  return <li>{t(textKey, values)}</li>;
}

/** Renders the operator's own text in place of the default one. */
export function OwnPolicy({ heading, children }: { heading: TextKey; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Container className={styles.own}>
      <Text as="h1" variant="h2">
        {t(heading)}
      </Text>
      <article className={styles.ownText}>{children}</article>
    </Container>
  );
}

import type { ReactNode } from 'react';
import { classes } from '../../../shared/ui/classes.ts';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { phrases } from './phrases.tsx';
import styles from './Section.module.css';

interface Props {
  /** The anchor that the header's links lead to, and what the heading is called by. */
  id: string;
  title: string;
  lead?: ReactNode;
  /** Stands at the right of both where there is room, else below them. */
  aside?: ReactNode;
  /** White with hairlines instead of the page's ground. */
  paper?: boolean;
  /** The band above has air enough for both. */
  close?: boolean;
  children: ReactNode;
}

/** One band of the landing: heading, lead, and 112 px of air around (56 on a phone). */
export function Section({ id, title, lead, aside, paper = false, close = false, children }: Props) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes(styles.band, paper && styles.paper, close && styles.close)}
    >
      <Container>
        <div className={styles.head}>
          <div>
            <Text as="h2" variant="h1" id={`${id}-title`} className={styles.title}>
              {phrases(title)}
            </Text>
            {lead && (
              <Text variant="lead" color="secondary">
                {lead}
              </Text>
            )}
          </div>
          {aside}
        </div>
        <div className={styles.body}>{children}</div>
      </Container>
    </section>
  );
}

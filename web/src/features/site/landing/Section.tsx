import type { ReactNode } from 'react';
import { classes } from '../../../shared/ui/classes.ts';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { phrases } from './phrases.tsx';
import styles from './Section.module.css';

interface Props {
  /** Anchor of the header's links, and id of the heading. */
  id: string;
  title: string;
  lead?: ReactNode;
  /** At the right of both if there is room, else below them. */
  aside?: ReactNode;
  /** White with hairlines instead of the page's background. */
  paper?: boolean;
  /** The band above has enough spacing for both. */
  close?: boolean;
  children: ReactNode;
}

/**
 * Renders one band of the landing page: heading, lead, and 112 px of spacing around (56 on a
 * phone).
 */
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

import type { ReactNode } from 'react';
import { classes } from '../../../shared/ui/classes.ts';
import { Container } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { phrases } from './phrases.tsx';
import styles from './Section.module.css';

interface Props {
  /** Id of the section, to which the header links. The heading's id is derived from it. */
  id: string;
  title: string;
  lead?: ReactNode;
  /** Content at the right of title and lead, or below them on narrow windows. */
  aside?: ReactNode;
  /** White background with thin lines. */
  paper?: boolean;
  /** Omits the spacing at the top, because the section above has enough. */
  close?: boolean;
  children: ReactNode;
}

/**
 * Renders one section of the landing page with heading and lead, and vertical spacing of 112 px (56
 * px on a phone).
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

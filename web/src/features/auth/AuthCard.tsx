import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Card } from '../../shared/ui/Card.tsx';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { AuthAside } from './AuthAside.tsx';
import styles from './AuthCard.module.css';

interface Props {
  title: string;
  lead?: ReactNode;
  /**
   * True if this view replaced another one on the same page. The title then gets the focus, so that
   * screen readers read it.
   */
  arrived?: boolean;
  /** Illustration above the title, for results. */
  picture?: ComponentProps<typeof Illustration>['name'];
  /**
   * Kind of user for whom the panel beside the card is. `none` on pages where the user has to
   * decide something.
   */
  aside?: ComponentProps<typeof AuthAside>['kind'] | 'none';
  children: ReactNode;
}

/**
 * Renders the card of an account page: title, introduction and content, with the panel beside it.
 */
export function AuthCard({ title, lead, arrived = false, picture, aside = 'back', children }: Props) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
  }, [arrived]);
  return (
    <Container className={styles.page}>
      {aside !== 'none' && <AuthAside kind={aside} />}
      <Card raised className={styles.card}>
        {picture && (
          <div className={styles.picture}>
            <Illustration name={picture} width={150} />
          </div>
        )}
        <Text as="h1" variant="title" ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </Text>
        {lead && (
          <Text variant="small" color="secondary" className={styles.lead}>
            {lead}
          </Text>
        )}
        <div className={styles.content}>{children}</div>
      </Card>
    </Container>
  );
}

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
   * The focused element was removed with the previous view. The title takes the focus, so that it
   * is read aloud.
   */
  arrived?: boolean;
  /** Picture above the title, if something has happened or must happen elsewhere. */
  picture?: ComponentProps<typeof Illustration>['name'];
  /** Audience of the panel beside the card. `none` where the user has to decide something. */
  aside?: ComponentProps<typeof AuthAside>['kind'] | 'none';
  children: ReactNode;
}

/**
 * Renders the card of the account pages: title, purpose, form, and beside it the panel with the
 * product's purpose.
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

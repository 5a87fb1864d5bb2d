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
  /** What was focused is gone with the view before: the title takes the focus, so that it is read out. */
  arrived?: boolean;
  /** Drawn above the title, where something has happened or is to happen elsewhere. */
  picture?: ComponentProps<typeof Illustration>['name'];
  /** Whom the side beside the card speaks to; `none` where there is something to decide. */
  aside?: ComponentProps<typeof AuthAside>['kind'] | 'none';
  children: ReactNode;
}

/** The card the account pages stand on: one title, one line of what it is for, the form; beside it what it is all for. */
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

import type { ReactNode } from 'react';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Card } from '../../shared/ui/Card.tsx';
import { Container, Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './OwnCard.module.css';

/** Renders the card of a sign-in page: title, introduction and content. */
export function OwnCard({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <Container className={styles.page}>
      <Card raised className={styles.card}>
        <Text as="h1" variant="title">
          {title}
        </Text>
        <Text variant="small" color="secondary" className={styles.lead}>
          {lead}
        </Text>
        <Stack>{children}</Stack>
      </Card>
    </Container>
  );
}

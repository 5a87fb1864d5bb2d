import type { UseQueryResult } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card, CardHeader } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text, VisuallyHidden } from '../../shared/ui/Text.tsx';
import styles from './Section.module.css';
import { PAGE_TITLE } from './SettingsFrame.tsx';

const SLOW_MS = 4_000;

interface Props {
  id: string;
  icon?: LucideIcon;
  /** Absent for the only section of a page, which the page's heading names. */
  title?: string;
  text?: ReactNode;
  /** Content at the right of the title. */
  mark?: ReactNode;
  /** True for a section with irreversible actions. */
  grave?: boolean;
  children?: ReactNode;
}

/**
 * Puts the section's id into the address, so that the user returns to it after a sign-in at Google.
 */
function nameSection(id: string): void {
  if (window.location.hash !== `#${id}`) window.history.replaceState(window.history.state, '', `#${id}`);
}

/** Renders one section of the settings: a card with rows, and with its title and introduction. */
export function Section({ id, icon, title, text, mark, grave, children }: Props) {
  return (
    <Card
      as="section"
      id={id}
      tabIndex={-1}
      aria-labelledby={title ? `${id}-title` : PAGE_TITLE}
      onFocusCapture={() => nameSection(id)}
      className={classes(styles.section, grave && styles.grave)}
    >
      {title && (
        <CardHeader icon={icon && <Icon of={icon} />} title={title} id={`${id}-title`}>
          {mark}
        </CardHeader>
      )}
      <Stack className={classes(styles.body, !title && styles.untitled)}>
        {text && (
          <Text variant="small" color="secondary">
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </Card>
  );
}

/**
 * Renders the result of a section's query: skeleton rows while it loads, a text after a while, a
 * retry button after a failure.
 */
export function Loaded<T>({
  query,
  rows,
  failed = 'settings.loadFailed',
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'isFetching' | 'refetch'>;
  rows: number;
  /** Text if loading failed. */
  failed?: TextKey;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (isError && !isFetching)
    return (
      <Alert
        tone="error"
        action={
          <Button variant="secondary" size="small" onClick={() => void refetch()}>
            {t('problem.retry')}
          </Button>
        }
      >
        {t(failed) as string}
      </Alert>
    );
  return <Waiting rows={rows} />;
}

/** Renders skeleton rows. */
export function Waiting({ rows }: { rows: number }) {
  const { t } = useTranslation();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Stack gap={3}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} kind="control" />
      ))}
      <Text variant="caption" color="secondary" role="status">
        {slow ? t('settings.slow') : <VisuallyHidden>{t('settings.loading')}</VisuallyHidden>}
      </Text>
    </Stack>
  );
}

/** Renders a row of a section, with content and buttons. Thin lines separate rows. */
export function Row({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

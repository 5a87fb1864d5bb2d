import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskPage } from '../../shared/api/types.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { CopyButton } from '../../shared/ui/CopyButton.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Container, Row } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { ProcessedTask } from './ProcessedTask.tsx';
import { supportQueries } from './queries.ts';
import { SignInFacts, useSignInFacts } from './SignInFacts.tsx';
import styles from './support.module.css';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const pretty = (text: string) => JSON.stringify(parsed(text), null, 2) ?? text;

/** Returns the tasks of a raw response, or null if it is not a success. */
function tasksOf(text: string): TaskPage['schedules'] | null {
  const envelope = parsed(text) as { success?: boolean; data?: Partial<TaskPage> | null } | null;
  const tasks = envelope?.success ? envelope.data?.schedules : null;
  return Array.isArray(tasks) ? tasks : null;
}

/**
 * Renders /test-schedules, a page for debugging: the session, the raw response of the task list,
 * and the values that the app derives from it.
 */
export function TestSchedulesPage() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(supportQueries.rawTasks());
  const signIn = useSignInFacts();
  usePageTitle(t('testPage.title'));
  const tasks = data ? tasksOf(data.text) : null;
  const line = data ? t('testPage.rawLine', { status: data.status, ms: Math.round(data.ms) }) : '';
  const everything = [...signIn.map(([term, value]) => `${term}: ${value}`), line, data ? pretty(data.text) : ''].join('\n');
  return (
    <Container className={styles.page}>
      <Text as="h1" variant="h2">
        {t('testPage.title')}
      </Text>
      <Text color="secondary" className={styles.lead}>
        {t('testPage.lead')}
      </Text>
      <Row className={styles.actions}>
        <Button
          variant="secondary"
          size="small"
          loading={isFetching}
          start={<Icon of={RefreshCw} size={16} />}
          onClick={() => void refetch()}
        >
          {t('testPage.again')}
        </Button>
        <CopyButton label={t('testPage.copyAll')} text={everything} />
      </Row>
      <div className={styles.parts}>
        <Part title={t('testPage.auth')}>
          <SignInFacts />
        </Part>
        <Part title={t('testPage.raw')} raw>
          {error && (
            <Alert tone="error" title={t('testPage.failed')}>
              {t(errorText(error, 'problem.generic'))}
            </Alert>
          )}
          {!data && !error && <Skeleton kind="block" />}
          {data && (
            <>
              <Text variant="small" color="secondary" className={styles.line}>
                {line}
              </Text>
              <RawText text={pretty(data.text)} label={t('testPage.raw')} />
            </>
          )}
        </Part>
        <Part title={t('testPage.processed')} aside={tasks ? t('testPage.count', { count: tasks.length }) : undefined}>
          {!data && <Text color="secondary">{t('testPage.none')}</Text>}
          {data && !tasks && <Alert tone="warning">{t('testPage.unreadable')}</Alert>}
          {tasks?.length === 0 && <Text color="secondary">{t('testPage.empty')}</Text>}
          {tasks && tasks.length > 0 && (
            <ul>
              {tasks.map((task) => (
                <ProcessedTask key={task.id} task={task} />
              ))}
            </ul>
          )}
        </Part>
      </div>
    </Container>
  );
}

function RawText({ text, label }: { text: string; label: string }) {
  return (
    // Keyboard users must be able to focus and scroll this block.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <pre role="region" aria-label={label} tabIndex={0} className={styles.raw}>
      {text}
    </pre>
  );
}

interface PartProps {
  title: string;
  aside?: string;
  /** True for the raw response, false for the derived values. */
  raw?: boolean;
  children: ReactNode;
}

function Part({ title, aside, raw, children }: PartProps) {
  return (
    <Card as="section" className={raw ? styles.rawPart : styles.part}>
      <Row align="baseline" gap={4} className={styles.head}>
        <Text as="h2" variant="h4">
          {title}
        </Text>
        {aside && (
          <Text as="span" variant="small" color="secondary">
            {aside}
          </Text>
        )}
      </Row>
      {children}
    </Card>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskPage } from '../../shared/api/types.ts';
import { errorWords } from '../../shared/format/errorWords.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { CopyButton } from '../../shared/ui/CopyButton.tsx';
import { ProcessedTask } from './ProcessedTask.tsx';
import { supportQueries } from './queries.ts';
import { SignInFacts, useSignInFacts } from './SignInFacts.tsx';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const pretty = (text: string) => JSON.stringify(parsed(text), null, 2) ?? text;

/** The tasks of a raw answer that says it succeeded; null when it is something else. */
function tasksOf(text: string): TaskPage['schedules'] | null {
  const envelope = parsed(text) as { success?: boolean; data?: Partial<TaskPage> | null } | null;
  const tasks = envelope?.success ? envelope.data?.schedules : null;
  return Array.isArray(tasks) ? tasks : null;
}

/** /test-schedules: the sign-in, the raw answer of the list and what is read from it, for people who look for a fault. */
export function TestSchedulesPage() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(supportQueries.rawTasks());
  const signIn = useSignInFacts();
  usePageTitle(t('testPage.title'));
  const tasks = data ? tasksOf(data.text) : null;
  const line = data ? t('testPage.rawLine', { status: data.status, ms: Math.round(data.ms) }) : '';
  const everything = [...signIn.map(([term, value]) => `${term}: ${value}`), line, data ? pretty(data.text) : ''].join('\n');
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <Typography variant="h3" component="h1">
        {t('testPage.title')}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5, mb: 2 }}>
        {t('testPage.lead')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2.5 }}>
        <Button
          variant="outlined"
          size="small"
          loading={isFetching}
          startIcon={<Icon name="refresh" size={16} />}
          onClick={() => void refetch()}
        >
          {t('testPage.again')}
        </Button>
        <CopyButton label={t('testPage.copyAll')} text={everything} />
      </Box>
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, md: 3 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
          alignItems: 'start',
          // The raw answer beside what was made of it.
          '& > :last-child': { gridColumn: { md: 1 } },
          '& > :nth-of-type(2)': {
            gridColumn: { md: 2 },
            gridRow: { md: '1 / span 2' },
            position: { md: 'sticky' },
            top: { md: 88 },
          },
        }}
      >
        <Part title={t('testPage.auth')}>
          <SignInFacts />
        </Part>
        <Part title={t('testPage.raw')}>
          {error && (
            <Notice tone="error" title={t('testPage.failed')}>
              {t(errorWords(error, 'problem.generic'))}
            </Notice>
          )}
          {!data && !error && <Skeleton variant="rounded" height={160} />}
          {data && (
            <>
              <Typography variant="body2" color="textSecondary" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
                {line}
              </Typography>
              <RawText text={pretty(data.text)} label={t('testPage.raw')} />
            </>
          )}
        </Part>
        <Part title={t('testPage.processed')} aside={tasks ? t('testPage.count', { count: tasks.length }) : undefined}>
          {!data && <Typography color="textSecondary">{t('testPage.none')}</Typography>}
          {data && !tasks && <Notice tone="warning">{t('testPage.unreadable')}</Notice>}
          {tasks?.length === 0 && <Typography color="textSecondary">{t('testPage.empty')}</Typography>}
          {tasks && tasks.length > 0 && (
            <Box component="ul">
              {tasks.map((task) => (
                <ProcessedTask key={task.id} task={task} />
              ))}
            </Box>
          )}
        </Part>
      </Box>
    </Container>
  );
}

function RawText({ text, label }: { text: string; label: string }) {
  return (
    <Box
      component="pre"
      role="region"
      aria-label={label}
      // A block that scrolls must be reachable by keyboard.
      tabIndex={0}
      sx={{
        maxHeight: { xs: 420, md: 'calc(100vh - 260px)' },
        overflow: 'auto',
        p: 1.5,
        borderRadius: '12px',
        bgcolor: 'background.sunken',
        fontFamily: 'var(--font-mono)',
        fontSize: 12,
        lineHeight: 1.6,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {text}
    </Box>
  );
}

function Part({ title, aside, children }: { title: string; aside?: string; children: ReactNode }) {
  return (
    <Card component="section" sx={{ p: { xs: 2, sm: 3 } }}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2, mb: 1.5 }}>
        <Typography variant="h6" component="h2" sx={{ flex: 1 }}>
          {title}
        </Typography>
        {aside && (
          <Typography variant="body2" color="textSecondary">
            {aside}
          </Typography>
        )}
      </Box>
      {children}
    </Card>
  );
}

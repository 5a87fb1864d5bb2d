import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BalanceCard } from '../../parts/balance/BalanceCard.tsx';
import { ChargedNotice } from '../../parts/balance/ChargedNotice.tsx';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { SideNote } from '../../shared/legacy/SideNote.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Marked } from '../../shared/ui/Marked.tsx';
import { QuickStart } from './QuickStart.tsx';
import { ReminderBanner } from './ReminderBanner.tsx';
import { StatsStrip } from './StatsStrip.tsx';
import { SystemPanel } from './SystemPanel.tsx';
import { TaskList } from './TaskList.tsx';
import { useListView } from './useListView.ts';
import { useTaskPage } from './useTaskPage.ts';
import { Welcome } from './Welcome.tsx';

const stack = { display: 'grid', gridTemplateColumns: 'minmax(0,1fr)', gap: { xs: 2, md: 3 }, alignContent: 'start' } as const;

/** /dashboard: tasks at the left, money and system at the right; on a phone the figures come after the tasks. */
export function DashboardPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [view, setView] = useListView();
  const { data: tasks, isPending } = useTaskPage(view);
  // Nothing at the left yet: the system's state stands there, so that the page is not all rail.
  const isEmpty = view.filter === 'all' && tasks?.total === 0;
  const system = !isPending && <SystemPanel tasks={tasks?.schedules} />;
  usePageTitle(t('nav.dashboard'));
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <Welcome name={identity?.username ?? ''} view={view} />
      <ReminderBanner />
      <ChargedNotice />
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, md: 3 },
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0,1fr)', md: 'minmax(0,1fr) 368px' },
          // The rail spans both rows: only the second takes up what it is longer.
          gridTemplateRows: { md: 'auto 1fr' },
        }}
      >
        <Box sx={stack}>
          <Box sx={{ order: { xs: 9, md: 0 } }}>
            <StatsStrip />
          </Box>
          <TaskList view={view} onView={setView} />
        </Box>
        <Box component="aside" sx={{ ...stack, gridRow: { md: '1 / span 2' }, gridColumn: { md: 2 } }}>
          <BalanceCard />
          {!isEmpty && system}
        </Box>
        <Box sx={stack}>
          <QuickStart isFirst={isEmpty} />
          {isEmpty ? system : <Tip />}
        </Box>
      </Box>
    </Container>
  );
}

const ToSettings = ({ children }: { children: ReactNode }) => <Link to={paths.settings}>{children}</Link>;

/** What happens after a booking, and where to have it otherwise. */
function Tip() {
  const { t } = useTranslation();
  return (
    <SideNote icon="bulb">
      <Marked text={t('dashboard.tip')} tags={{ a: ToSettings }} />
    </SideNote>
  );
}

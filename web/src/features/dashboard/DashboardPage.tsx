import { Lightbulb } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useJustCharged } from '../../parts/balance/lastCharge.ts';
import { NoChannelGate } from '../../parts/channels/NoChannelGate.tsx';
import { lastSubmission } from '../../parts/task/lastSubmission.ts';
import { useBilling } from '../../shared/api/billing.ts';
import type { Task } from '../../shared/api/types.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { callName } from '../../shared/format/callName.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { useStore } from '../../shared/state/useStore.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Later } from '../../shared/ui/Later.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { Marked } from '../../shared/ui/Marked.tsx';
import { SideNote } from '../../shared/ui/SideNote.tsx';
import styles from './DashboardPage.module.css';
import { QuickStart } from './QuickStart.tsx';
import { ReminderBanner } from './ReminderBanner.tsx';
import { SideLines } from './SideLines.tsx';
import { StatsStrip } from './StatsStrip.tsx';
import { TaskList } from './TaskList.tsx';
import { useListView } from './useListView.ts';
import { sheets, useSheet } from './useSheet.ts';
import { useTaskPage } from './useTaskPage.ts';
import { Welcome } from './Welcome.tsx';

/** Loads only after a submission. */
const ChargedNotice = lazyComponent(async () => (await import('../../parts/balance/ChargedNotice.tsx')).ChargedNotice);

/** Loads only after a submission. */
const WatchingNotice = lazyComponent(() =>
  withTexts(['features/dashboard/watching'], async () => (await import('./watching/WatchingNotice.tsx')).WatchingNotice),
);

// Sheets load when they open.
const BalanceSheet = lazyComponent(() =>
  withTexts(['parts/balance'], async () => (await import('../../parts/balance/BalanceSheet.tsx')).BalanceSheet),
);
const SystemSheet = lazyComponent(async () => (await import('./SystemSheet.tsx')).SystemSheet);

/** Renders the open sheet, if there is one. */
function Sheet({ tasks }: { tasks: Task[] | undefined }) {
  const billing = useBilling();
  const { hash, close } = useSheet();
  const toTopUp = hash === sheets.topUp;
  if (hash === sheets.status) return <SystemSheet tasks={tasks} onClose={close} onMissing={close} />;
  if (billing && (toTopUp || hash === sheets.balance))
    return <BalanceSheet toTopUp={toTopUp} onClose={close} onMissing={close} />;
  return null;
}

/**
 * Renders /dashboard: tasks and totals at the left, money and system status as lines at the right.
 */
export function DashboardPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const billing = useBilling();
  const submitted = useJustCharged();
  const watched = useStore(lastSubmission);
  const [view, setView] = useListView();
  const { data: tasks } = useTaskPage(view);
  const isEmpty = view.filter === 'all' && tasks?.total === 0;
  usePageTitle(t('nav.dashboard'));
  return (
    <Container className={styles.page}>
      <Welcome name={identity ? callName(identity) : ''} view={view} isEmpty={isEmpty} />
      <div className={styles.nobody}>
        <NoChannelGate />
      </div>
      {billing && tasks && !isEmpty && <ReminderBanner />}
      {watched && <WatchingNotice tasks={tasks?.schedules} />}
      {billing && submitted && <ChargedNotice tasks={tasks?.schedules} />}
      <div className={styles.columns}>
        <div className={styles.stack}>
          <TaskList view={view} onView={setView} />
        </div>
        <aside className={classes(styles.stack, styles.rail)}>
          <SideLines tasks={tasks?.schedules} />
        </aside>
        <div className={styles.stack}>
          <Later>
            <StatsStrip />
            {!isEmpty && <Tip />}
            {!isEmpty && <QuickStart />}
          </Later>
        </div>
      </div>
      <Sheet tasks={tasks?.schedules} />
    </Container>
  );
}

const ToSettings = ({ children }: { children: ReactNode }) => <Link to={paths.settings}>{children}</Link>;

/** Renders a tip about the actions of a task after a booking, with a link to the setting. */
function Tip() {
  const { t } = useTranslation();
  return (
    <SideNote icon={Lightbulb}>
      <Marked text={t('dashboard.tip')} tags={{ a: ToSettings }} />
    </SideNote>
  );
}

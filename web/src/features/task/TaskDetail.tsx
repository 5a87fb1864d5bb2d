import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NoChannelGate } from '../../parts/channels/NoChannelGate.tsx';
import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import type { OwnAction } from '../../parts/task/conditionParts.tsx';
import { removeTask } from '../../parts/task/pendingDeletes.ts';
import { StartPriceDialog } from '../../parts/task/StartPriceDialog.tsx';
import { taskFacts } from '../../parts/task/taskView.ts';
import { useBookingNews } from '../../parts/task/useAnnounceBooking.ts';
import { useTaskMove } from '../../parts/task/useTaskMove.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { Later } from '../../shared/ui/Later.tsx';
import { AccountCard } from './AccountCard.tsx';
import { BookingsCard } from './BookingsCard.tsx';
import { CitiesCard } from './CitiesCard.tsx';
import { CriteriaCard } from './CriteriaCard.tsx';
import { EarliestCard } from './EarliestCard.tsx';
import { HeatCard } from './HeatCard.tsx';
import { JournalCard } from './JournalCard.tsx';
import { LeftCard } from './LeftCard.tsx';
import layout from './layout.module.css';
import { NotificationsCard } from './NotificationsCard.tsx';
import { PriceCard } from './PriceCard.tsx';
import { detailQueries, HEAT_SPAN } from './queries.ts';
import { TaskSummary } from './TaskSummary.tsx';
import { TaskTop } from './TaskTop.tsx';
import { WhyCard } from './WhyCard.tsx';

const UpdatePasswordDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/portalAccount'],
    async () => (await import('../../parts/task/UpdatePasswordDialog.tsx')).UpdatePasswordDialog,
  ),
}));
const GroupDifferenceDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/balance', 'parts/balance/pay'],
    async () => (await import('../../parts/task/GroupDifferenceDialog.tsx')).GroupDifferenceDialog,
  ),
}));

/**
 * The dialog is a separate chunk because of its date pickers. It loads when the user starts to
 * edit.
 */
const EditDialog = lazy(async () => ({
  default: await withTexts(['parts/criteria'], async () => (await import('../../parts/task/EditDialog.tsx')).EditDialog),
}));

type Open = { kind: 'edit'; suggested?: Partial<SearchForm> } | { kind: 'password' } | { kind: 'group' } | null;

interface Props {
  task: Task;
  hidden: boolean;
  onHide: () => void;
}

/** Renders the page of one task: condition, seen dates, journal, actions, price. */
export function TaskDetail({ task, hidden, onHide }: Props) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const [open, setOpen] = useState<Open>(null);
  const move = useTaskMove(task);
  useBookingNews(task);
  const { data: calendar } = useQuery(detailQueries.calendar(task.id, HEAT_SPAN));
  const { city, account } = taskFacts(task);
  const shownAccount = hidden ? maskEmail(account) : account;
  const title = t('task.title', { city: city ? cityName(city) : t('task.unknownPlace'), account: shownAccount });
  // After a booking the card of appointments comes first, because it shows the booked date.
  const won = task.success_history.length > 0;
  const bookings = <BookingsCard task={task} hidden={hidden} />;
  const close = () => setOpen(null);
  const edit = () => setOpen({ kind: 'edit' });
  const onAction = (action: OwnAction) => {
    if (action === 'acceptGroup') setOpen({ kind: 'group' });
    else setOpen({ kind: action === 'edit' ? 'edit' : 'password' });
  };
  return (
    <>
      <NoChannelGate />
      <TaskTop task={task} hidden={hidden} move={move} onHide={onHide} onEdit={edit} />
      <TaskSummary task={task} calendar={calendar} hidden={hidden} busy={move.busy} onAction={onAction} />
      <Later>
        <div className={layout.columns}>
          <div className={layout.stack}>
            {won && bookings}
            <EarliestCard task={task} />
            <HeatCard task={task} />
            {!won && bookings}
          </div>
          <aside className={layout.stack}>
            <CitiesCard task={task} />
            <LeftCard task={task} />
            <AccountCard task={task} hidden={hidden} busy={move.busy} onVerify={() => setOpen({ kind: 'password' })} />
            <CriteriaCard
              task={task}
              widen={calendar?.widen ?? null}
              busy={move.busy}
              onEdit={edit}
              onWiden={(end) => setOpen({ kind: 'edit', suggested: { end } })}
            />
            <PriceCard task={task} hidden={hidden} busy={move.busy} onDelete={() => removeTask(task)} />
            <NotificationsCard taskId={task.id} hidden={hidden} />
          </aside>
        </div>
        <div className={layout.halves}>
          <WhyCard task={task} />
          <JournalCard task={task} hidden={hidden} />
        </div>
      </Later>
      <Suspense fallback={null}>
        {open?.kind === 'edit' && <EditDialog task={task} title={title} suggested={open.suggested} onClose={close} />}
        {open?.kind === 'group' && <GroupDifferenceDialog task={task} onClose={close} />}
        {open?.kind === 'password' && (
          <UpdatePasswordDialog
            login={{ username: account, countryCode: task.country_code, visaType: task.visa_type }}
            shownAs={shownAccount}
            taskIds={[task.id]}
            done="toast.passwordRenewed"
            onClose={close}
          />
        )}
      </Suspense>
      <StartPriceDialog task={task} move={move} onEdit={edit} />
    </>
  );
}

import { useTranslation } from 'react-i18next';
import type { LookBudget, SystemStatus, Task } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/checks.ts';
import { instantClock } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { PortalHours } from './PortalHours.tsx';
import { SystemRow, UseBar } from './SystemRow.tsx';
import { lastChecks, newest, nextLook, useSystemStatus } from './useSystemStatus.ts';

const portalTexts: Record<SystemStatus['portal']['state'], TextKey> = {
  ok: 'system.portalOk',
  slow: 'system.portalSlow',
  down: 'system.portalDown',
  unknown: 'system.portalUnknown',
};
const mailTexts: Record<SystemStatus['delivery']['mail'], TextKey> = {
  ok: 'system.mailOk',
  failing: 'system.mailFailing',
  off: 'system.mailOff',
};

const SHORT_MS = 100;

/**
 * Returns the poll budget of the portal account that has used the largest share, and the number of
 * accounts.
 */
function fullest(tasks: Task[]): { looks: LookBudget; accounts: number } | null {
  const byAccount = new Map(
    tasks.flatMap((task) => (task.engine.looks ? [[task.visa_credentials.username, task.engine.looks]] : [])),
  );
  const share = (looks: LookBudget) => Math.max(looks.hour_used / looks.hour_limit, looks.ten_hours_used / looks.ten_hours_limit);
  const looks = [...byAccount.values()].sort((a, b) => share(b) - share(a))[0];
  return looks ? { looks, accounts: byAccount.size } : null;
}

function Looks({ tasks }: { tasks: Task[] }) {
  const { t } = useTranslation();
  const found = fullest(tasks);
  if (!found) return null;
  const { looks, accounts } = found;
  const note = accounts > 1 ? t('system.busiest') : undefined;
  const of = (used: number, limit: number) => t('system.requestsOf', { used, limit });
  const forBooking = looks.hour_for_booking > 0 && t('system.forBooking', { count: looks.hour_for_booking });
  return (
    <>
      <SystemRow label={t('system.requestsHour')} value={of(looks.hour_used, looks.hour_limit)} notes={[note, forBooking]}>
        <UseBar used={looks.hour_used} limit={looks.hour_limit} />
      </SystemRow>
      <SystemRow label={t('system.requestsTen')} value={of(looks.ten_hours_used, looks.ten_hours_limit)}>
        <UseBar used={looks.ten_hours_used} limit={looks.ten_hours_limit} />
      </SystemRow>
    </>
  );
}

function Rows({ status, tasks }: { status: SystemStatus; tasks: Task[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { portal, engine, delivery } = status;
  const at = (instant: string) => instantClock(instant, language);
  const state = t(portalTexts[portal.state]);
  const answered =
    portal.latency_ms === null
      ? state
      : portal.latency_ms < SHORT_MS
        ? t('system.latencySmall', { state })
        : t('system.latency', { state, seconds: (portal.latency_ms / 1000).toFixed(1) });
  const ahead = nextLook(status);
  const last = newest([engine.last_look_at, ...lastChecks(tasks)]);
  const looks = [
    t('system.checksDay', { count: checks(portal.hours) }),
    last && t('system.lastCheck', { time: at(last) }),
    ahead && t('system.nextCheck', { time: at(ahead) }),
  ];
  const mail = [
    delivery.waiting > 0 && t('system.waiting', { count: delivery.waiting }),
    delivery.mail !== 'off' && delivery.delivered_day > 0 && t('system.deliveredDay', { count: delivery.delivered_day }),
  ];
  return (
    <>
      <SystemRow
        label={t('system.portal')}
        value={answered}
        notes={[portal.last_answer_at && t('system.lastAnswer', { time: at(portal.last_answer_at) })]}
      >
        <PortalHours hours={portal.hours} />
      </SystemRow>
      <SystemRow label={t('system.engine')} value={engine.active ? t('system.engineOn') : t('system.engineOff')} notes={looks} />
      <Looks tasks={tasks} />
      <SystemRow label={t('system.delivery')} value={t(mailTexts[delivery.mail])} notes={mail} />
    </>
  );
}

/**
 * Renders the system status: whether the portal answers, the engine runs and mail is delivered, and
 * how much of an account's poll budget is used. All data is from this server.
 */
export function SystemPanel({ tasks = [] }: { tasks?: Task[] }) {
  const { t } = useTranslation();
  const { data, isError } = useSystemStatus(tasks);
  if (data) return <Rows status={data} tasks={tasks} />;
  if (!isError) return <Skeleton kind="block" />;
  return (
    <Text variant="small" color="secondary">
      {t('system.failed')}
    </Text>
  );
}

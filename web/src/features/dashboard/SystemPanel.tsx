import { useQuery } from '@tanstack/react-query';
import { Activity, Check, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import type { LookBudget, SystemStatus, Task } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/checks.ts';
import { instantClock } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { PortalHours } from './PortalHours.tsx';
import { SystemRow, UseBar } from './SystemRow.tsx';

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

/** Returns the latest of several instants (RFC 3339). */
function newest(instants: (string | null)[]): string | undefined {
  return instants.filter((instant) => instant !== null).sort((a, b) => Date.parse(b) - Date.parse(a))[0];
}

/**
 * Returns the time of each task's last check. The status may be older, because it is requested less
 * often.
 */
const lastChecks = (tasks: Task[]) => tasks.map((task) => task.engine.last_check_at);

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
  const ahead = engine.next_look_at && Date.parse(engine.next_look_at) > Date.now() ? engine.next_look_at : null;
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
  const { data, isError, refetch } = useQuery(queries.status());
  // If a task shows a newer check than the status, the status is requested again.
  const checked = newest(lastChecks(tasks));
  const isBehind = data !== undefined && checked !== undefined && Date.parse(checked) > Date.parse(data.at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per check
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, checked]);
  const fine =
    data?.engine.active && (data.portal.state === 'ok' || data.portal.state === 'unknown') && data.delivery.mail !== 'failing';
  return (
    <Card as="section" aria-labelledby="system-title">
      <CardHeader icon={<Icon of={Activity} />} title={t('nav.status')} id="system-title">
        {data && (
          <Badge tone={fine ? 'ok' : 'warning'} icon={fine ? Check : TriangleAlert}>
            {fine ? t('system.fine') : t('system.notFine')}
          </Badge>
        )}
      </CardHeader>
      <CardBody>
        {isError && !data && (
          <Text variant="small" color="secondary">
            {t('system.failed')}
          </Text>
        )}
        {!isError && !data && <Skeleton kind="block" />}
        {data && <Rows status={data} tasks={tasks} />}
      </CardBody>
    </Card>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Eye, Gauge, type LucideIcon, Moon, Pause, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { channelQueries } from '../../../parts/channels/queries.ts';
import { RUNNING } from '../../../parts/task/condition.ts';
import { largestUnit } from '../../../parts/task/largestUnit.ts';
import { lastSubmission } from '../../../parts/task/lastSubmission.ts';
import { modeNow } from '../../../parts/task/question.ts';
import { useBilling } from '../../../shared/api/billing.ts';
import type { QuietSetting } from '../../../shared/api/channels.ts';
import type { Task } from '../../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../../shared/format/maskedAmount.ts';
import { useAnyHidden } from '../../../shared/hooks/useAnyHidden.ts';
import { useNow } from '../../../shared/hooks/useNow.ts';
import { amount, clock, instantShort, sentences } from '../../../shared/i18n/format.ts';
import type { Language } from '../../../shared/i18n/language.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { paths } from '../../../shared/routing/paths.ts';
import { useStore } from '../../../shared/state/useStore.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '../../../shared/ui/Card.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Marked } from '../../../shared/ui/Marked.tsx';
import styles from './WatchingNotice.module.css';

const ToSettings = ({ children }: { children: ReactNode }) => <Link to={paths.settingsTopic('notifications')}>{children}</Link>;

/** Returns the text about the first or next check of the submitted tasks. */
function useNextCheck(tasks: Task[]): string {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow(30_000);
  const [next] = tasks.flatMap(({ engine }) => engine.next_check_at ?? []).sort((a, b) => Date.parse(a) - Date.parse(b));
  if (tasks.every(({ engine }) => engine.checks === 0)) return t('watching.first');
  return next && Date.parse(next) > now ? t('watching.next', { time: instantShort(next, language) }) : t('watching.due');
}

/** Returns the text about the longest time between two checks of a city, or null if unknown. */
function useBound(tasks: Task[]): string | null {
  const { t } = useTranslation();
  const language = useLanguage();
  const bounds = tasks.flatMap(({ engine }) => engine.cities.flatMap((city) => city.checked_within_seconds ?? []));
  if (bounds.length === 0) return null;
  const { unit, count } = largestUnit(Math.ceil(Math.max(...bounds) / 60));
  const span = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  return t('watching.bound', { span: span.replace(/(\d)(?=\p{Script=Han})/u, '$1 ') });
}

/** Returns the name of a time zone, such as `Eastern Time` or `北美东部时间`. */
function zoneIn(zone: string, language: Language): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** Returns the texts about the coming night: checks, bookings, questions and messages. */
function useTonight(tasks: Task[], setting: QuietSetting | undefined): string {
  const { t } = useTranslation();
  const language = useLanguage();
  const modes = new Set(tasks.map(modeNow));
  const { quiet_from: from, quiet_to: to, zone, questions_at_night } = setting ?? {};
  const quiet = from && to && zone && { from: clock(from, language), to: clock(to, language), zone: zoneIn(zone, language) };
  const silent = quiet && !questions_at_night;
  return sentences(
    [
      t('watching.night'),
      modes.has('auto') && t('watching.nightAuto'),
      setting !== undefined && modes.has('ask') && t(silent ? 'watching.nightSilent' : 'watching.nightAsk'),
      setting !== undefined && (quiet ? t('watching.quiet', quiet) : t('watching.noQuiet')),
    ],
    language,
  );
}

/** Returns the text about the price of the submitted tasks, and when it is charged. */
function useCost(tasks: Task[]): string {
  const { t } = useTranslation();
  const hidden = useAnyHidden();
  const held = tasks.reduce((sum, { price }) => sum + price.on_hold, 0);
  if (held === 0) return t('watching.free');
  const notify = tasks.every((task) => modeNow(task) === 'notify');
  const values = { amount: hidden ? MASKED_AMOUNT : amount(held), currency: tasks[0]?.price.currency };
  return t(notify ? 'watching.heldNotify' : 'watching.held', values);
}

/** Renders one fact with its icon. */
function Fact({ icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <span className={styles.icon}>
          <Icon of={icon} size={20} />
        </span>
        {title}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * Renders what happens after a submission: the next check, the coming night, the price, and how to
 * pause. It disappears when the user closes it, or when no submitted task is running.
 */
export function WatchingNotice({ tasks = [] }: { tasks?: Task[] }) {
  const ids = useStore(lastSubmission);
  const running = tasks.filter(({ id, status }) => ids?.includes(id) && RUNNING.includes(status));
  return running.length > 0 && <Watching tasks={running} />;
}

function Watching({ tasks }: { tasks: Task[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const billing = useBilling();
  const { data: channels } = useQuery(channelQueries.all());
  const tonight = useTonight(tasks, channels?.setting);
  const check = sentences([useNextCheck(tasks), useBound(tasks)], language);
  const cost = useCost(tasks);
  return (
    <Card as="section" aria-labelledby="watching-title" className={styles.card}>
      <CardHeader icon={<Icon of={Eye} />} title={t('watching.title', { count: tasks.length })} id="watching-title">
        <Button variant="text" size="small" onClick={() => lastSubmission.set(null)}>
          {t('watching.close')}
        </Button>
      </CardHeader>
      <CardBody>
        <dl className={styles.facts}>
          <Fact icon={Gauge} title={t('watching.checks')}>
            {check}
          </Fact>
          <Fact icon={Moon} title={t('watching.tonight')}>
            <Marked text={sentences([tonight, t('watching.change')], language)} tags={{ a: ToSettings }} />
          </Fact>
          {billing && (
            <Fact icon={Wallet} title={t('watching.price')}>
              {cost}
            </Fact>
          )}
          <Fact icon={Pause} title={t('watching.stop')}>
            {t('watching.pause')}
          </Fact>
        </dl>
      </CardBody>
    </Card>
  );
}

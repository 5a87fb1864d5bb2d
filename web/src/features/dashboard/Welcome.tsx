import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RUNNING } from '../../parts/task/condition.ts';
import { openQuestion } from '../../parts/task/question.ts';
import { queries } from '../../shared/api/queries.ts';
import type { ListView } from '../../shared/api/taskList.ts';
import { maskName } from '../../shared/format/mask.ts';
import { useAnyHidden } from '../../shared/hooks/useAnyHidden.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { zoneTitle } from '../../shared/i18n/displayZone.ts';
import { clock, instantParts } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { LiveDot } from '../../shared/ui/LiveDot.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { useTaskPage } from './useTaskPage.ts';
import styles from './Welcome.module.css';

const NOON = 12;
const EVENING = 18;
const DAWN = 5;

interface Props {
  /** Display name of the user. */
  name: string;
  view: ListView;
  /** True if there are no tasks. The link to a new task is then further below. */
  isEmpty: boolean;
}

/**
 * Renders a greeting for the viewer's time of day, the number of running tasks, and the time of the
 * next check.
 */
export function Welcome({ name, view, isEmpty }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useTaskPage(view);
  const { data: stats } = useQuery(queries.stats());
  const hidden = useAnyHidden();
  const hour = new Date().getHours();
  const greeting =
    hour >= DAWN && hour < NOON
      ? 'dashboard.morning'
      : hour >= NOON && hour < EVENING
        ? 'dashboard.afternoon'
        : 'dashboard.evening';
  const running = data?.schedules.filter((task) => RUNNING.includes(task.status)) ?? [];
  // The loaded page may not contain all tasks. Then the number comes from the statistics.
  const whole = data !== undefined && view.filter === 'all' && data.total <= data.schedules.length;
  const count = whole ? running.length : stats && Math.max(running.length, stats.active);
  const nowMs = useNow(running.some((task) => task.engine.verdict.evidence?.asked) ? 1_000 : 0);
  const questions = running.filter((task) => openQuestion(task, nowMs)).length;
  const next = running
    .flatMap((task) => task.engine.next_check_at ?? [])
    .sort()
    .find((instant) => Date.parse(instant) > Date.now());
  return (
    <div className={styles.welcome}>
      <div className={styles.words}>
        <Text as="h1" variant="h2">
          {t(greeting, { name: hidden ? maskName(name) : name })}
        </Text>
        <div className={styles.now}>
          {count ? (
            <Pieces
              of={[
                <span key="running" className={styles.running}>
                  <LiveDot className={styles.dot} />
                  {t('dashboard.running', { count })}
                </span>,
                questions > 0 && <b key="questions">{t('dashboard.questions', { count: questions })}</b>,
                next && t('dashboard.nextLook', { time: clock(instantParts(next).time, language), zone: zoneTitle(language) }),
              ]}
            />
          ) : (
            count === 0 && data && <span>{t('dashboard.nothingRuns')}</span>
          )}
        </div>
      </div>
      {!isEmpty && (
        <div className={styles.newTask}>
          <ButtonLink render={<Link to={paths.wizard()} />} start={<Icon of={Plus} size={18} />}>
            {t('dashboard.newTask')}
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

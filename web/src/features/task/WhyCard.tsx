import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeenEntry, Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { clock, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Empty } from './cardParts.tsx';
import { Part, Ready, Rows } from './Part.tsx';
import { detailQueries } from './queries.ts';
import { useReasons } from './useReasons.ts';
import { useWhen } from './useWhen.ts';
import styles from './WhyCard.module.css';
import { whyNot } from './whyNot.ts';

const FIRST = 6;

/**
 * Renders the seen slots that were not booked, newest first. Each names the rule that rejected it,
 * or that another user of the portal was faster.
 */
export function WhyCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const query = useInfiniteQuery(detailQueries.seen(task.id));
  const all = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  const shown = open ? all : all.slice(0, FIRST);
  const foot =
    total > FIRST ? (
      <div className={styles.foot}>
        {!open && (
          <Button variant="text" size="small" onClick={() => setOpen(true)} end={<Icon of={ChevronRight} size={16} />}>
            {t('why.all', { count: total })}
          </Button>
        )}
        {open && query.hasNextPage && (
          <Button
            variant="text"
            size="small"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
            end={<Icon of={ChevronDown} size={16} />}
          >
            {t('why.more')}
          </Button>
        )}
        {open && (
          <Button variant="text" size="small" onClick={() => setOpen(false)}>
            {t('why.less')}
          </Button>
        )}
      </div>
    ) : undefined;
  return (
    <Part
      title={t('why.title')}
      mark={
        shown.length > 0 && (
          <Text as="span" variant="caption" color="tertiary">
            {t('why.recent', { count: shown.length })}
          </Text>
        )
      }
      foot={foot}
    >
      <Ready query={query} skeleton={<Rows count={5} tall />}>
        {() =>
          all.length === 0 ? (
            <Empty>{t('why.empty')}</Empty>
          ) : (
            <ul className={styles.list}>
              {shown.map((entry) => (
                <Row key={`${entry.seen_at}-${entry.facility}-${entry.date}-${entry.time}`} entry={entry} task={task} />
              ))}
            </ul>
          )
        }
      </Ready>
    </Part>
  );
}

/**
 * Returns a function that formats how long a slot was available. It returns null if that is
 * unknown.
 */
function useAlive(): (entry: SeenEntry) => string | null {
  const { t } = useTranslation();
  return ({ alive_seconds: seconds }) => {
    if (seconds === null || seconds < 1) return null;
    if (seconds < 90) return t('why.alive', { count: Math.round(seconds) });
    return t('why.aliveMinutes', { count: Math.round(seconds / 60) });
  };
}

function Row({ entry, task }: { entry: SeenEntry; task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const when = useWhen();
  const alive = useAlive()(entry);
  const { facts, reasonText } = useReasons(task);
  const reason = whyNot(entry, facts);
  const space = language === 'zh' ? '' : ' ';
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        {unbroken(entry.date)}{' '}
        <span className={styles.where}>
          {cityName(entry.facility)}
          {entry.time && ` ${clock(entry.time, language)}`}
        </span>
      </div>
      <div className={styles.when}>{when(entry.seen_at)}</div>
      <div className={styles.reason}>
        <span className={styles[reason.tone]}>
          <Icon of={reason.icon} size={16} />
        </span>
        <span>
          {[reasonText(reason), reason.spent && (t(reason.spent) as string)].filter(Boolean).join(space)}
          {alive && (
            <>
              {space}
              <span className={styles.alive}>{alive}</span>
            </>
          )}
        </span>
      </div>
    </li>
  );
}

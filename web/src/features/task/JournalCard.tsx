import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight, Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry, Task } from '../../shared/api/types.ts';
import { zoneTitle } from '../../shared/i18n/displayZone.ts';
import { clock, instantParts } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Empty } from './cardParts.tsx';
import styles from './JournalCard.module.css';
import { journalDays } from './journal.ts';
import { Part, Ready, Rows } from './Part.tsx';
import { detailQueries } from './queries.ts';
import { useJournalExport } from './useJournalExport.ts';
import { useJournalTexts } from './useJournalTexts.ts';
import { useDayName } from './useWhen.ts';

/** Renders the journal of a task by day, newest first. The user can download the whole journal. */
export function JournalCard({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dayName = useDayName();
  const query = useInfiniteQuery(detailQueries.journal(task.id));
  const saving = useJournalExport(task);
  const days = journalDays(query.data?.pages.flatMap((page) => page.entries) ?? []);
  return (
    <Part
      title={t('journal.title')}
      mark={
        days.length > 0 && (
          <Button
            variant="ghost"
            size="small"
            loading={saving.isPending}
            onClick={() => saving.mutate()}
            start={<Icon of={Download} size={16} />}
            className={styles.export}
          >
            {t('journal.export')}
          </Button>
        )
      }
      foot={
        days.length === 0 ? undefined : query.hasNextPage ? (
          <Button
            variant="text"
            size="small"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
            end={<Icon of={ChevronRight} size={16} />}
            className={styles.older}
          >
            {t('journal.older')}
          </Button>
        ) : (
          <Text as="span" variant="small" color="tertiary">
            {t('journal.start')}
          </Text>
        )
      }
    >
      <Ready query={query} skeleton={<Rows count={6} />}>
        {() =>
          days.length === 0 ? (
            <Empty drawing="sheet">{t('journal.empty')}</Empty>
          ) : (
            days.map(({ day, entries }, index) => (
              <div key={day}>
                <div className={styles.day}>
                  <h3>{dayName(day)}</h3>
                  {index === 0 && <small>{zoneTitle(language)}</small>}
                </div>
                <ol>
                  {entries.map((entry) => (
                    <Row key={entry.id} entry={entry} hidden={hidden} />
                  ))}
                </ol>
              </div>
            ))
          )
        }
      </Ready>
    </Part>
  );
}

function Row({ entry, hidden }: { entry: JournalEntry; hidden: boolean }) {
  const { t } = useTranslation();
  const line = useJournalTexts(hidden)(entry);
  const language = useLanguage();
  const time = clock(instantParts(entry.at).time, language);
  return (
    <li className={styles.row}>
      <time dateTime={entry.at} className={styles.time}>
        {entry.until ? t('journal.since', { time }) : time}
      </time>
      <span className={classes(styles.dot, styles[line.tone])}>
        <Icon of={line.icon} size={16} />
      </span>
      <div className={styles.said}>
        <b className={styles.title}>
          {line.title}
          {entry.kind !== 'looks' && entry.count > 1 && ` ${t('journal.times', { count: entry.count })}`}
        </b>
        {line.text && (
          <Text variant="caption" color="secondary">
            {line.text}
          </Text>
        )}
      </div>
    </li>
  );
}

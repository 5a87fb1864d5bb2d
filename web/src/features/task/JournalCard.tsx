import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { detailQueries } from '../../shared/api/detail.ts';
import type { JournalEntry, Task } from '../../shared/api/types.ts';
import { instantParts } from '../../shared/i18n/format.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { journalDays } from './journal.ts';
import { Part, Ready, Rows } from './Part.tsx';
import { Empty } from './pieces.tsx';
import { useJournalExport } from './useJournalExport.ts';
import { useJournalWords } from './useJournalWords.ts';
import { useDayName } from './useWhen.ts';

const tints = {
  plain: { bgcolor: 'neutral.soft', color: 'text.secondary' },
  ok: { bgcolor: 'primary.soft', color: 'primary.ink' },
  err: { bgcolor: 'error.soft', color: 'error.ink' },
  warn: { bgcolor: 'warning.soft', color: 'warning.ink' },
} as const;

/** Everything done in this person's name, by day, newest first; the whole of it can be saved. */
export function JournalCard({ task }: { task: Task }) {
  const { t } = useTranslation();
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
            startIcon={<Icon name="download" size={16} />}
            sx={{ mr: -1 }}
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
            endIcon={<Icon name="chevronRight" size={16} />}
            sx={{ ml: -1.5 }}
          >
            {t('journal.older')}
          </Button>
        ) : (
          <Box component="span" sx={{ color: 'text.tertiary' }}>
            {t('journal.start')}
          </Box>
        )
      }
    >
      <Ready query={query} skeleton={<Rows count={6} height={36} />}>
        {() =>
          days.length === 0 ? (
            <Empty drawing="sheet">{t('journal.empty')}</Empty>
          ) : (
            days.map(({ day, entries }) => (
              <Box key={day}>
                <Box
                  component="h3"
                  sx={{
                    display: 'flex',
                    alignItems: 'center',
                    gap: 1.25,
                    fontSize: 13,
                    lineHeight: 1.5,
                    fontWeight: 600,
                    color: 'text.secondary',
                    py: 1,
                    '&::after': { content: '""', flex: 1, height: '1px', bgcolor: 'divider' },
                  }}
                >
                  {dayName(day)}
                </Box>
                <Box component="ol">
                  {entries.map((entry) => (
                    <Row key={entry.id} entry={entry} />
                  ))}
                </Box>
              </Box>
            ))
          )
        }
      </Ready>
    </Part>
  );
}

function Row({ entry }: { entry: JournalEntry }) {
  const { t } = useTranslation();
  const line = useJournalWords()(entry);
  const { time } = instantParts(entry.at);
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'grid',
        gridTemplateColumns: '74px 28px minmax(0,1fr)',
        gap: '0 10px',
        py: 0.875,
        fontSize: 14,
        lineHeight: 1.6,
        '&:not(:last-of-type)::before': {
          content: '""',
          position: 'absolute',
          left: '97.25px',
          top: 35,
          bottom: -7,
          width: '1.5px',
          bgcolor: 'divider',
        },
      }}
    >
      <Box
        component="time"
        dateTime={entry.at}
        sx={{ pt: '3px', fontSize: 13, color: 'text.tertiary', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      >
        {entry.until ? t('journal.since', { time }) : time}
      </Box>
      <Box
        sx={{
          width: 28,
          height: 28,
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          zIndex: 1,
          ...tints[line.tone],
        }}
      >
        <Icon name={line.icon} size={15} />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Box component="b" sx={{ fontWeight: 600 }}>
          {line.title}
          {entry.kind !== 'looks' && entry.count > 1 && ` ${t('journal.times', { count: entry.count })}`}
        </Box>
        {line.text && (
          <Box component="p" sx={{ fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
            {line.text}
          </Box>
        )}
      </Box>
    </Box>
  );
}

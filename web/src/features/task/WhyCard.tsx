import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { detailQueries } from '../../shared/api/detail.ts';
import type { SeenEntry, Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { clock, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { NoWrap } from '../../shared/legacy/NoWrap.tsx';
import { Part, Ready, Rows } from './Part.tsx';
import { Empty } from './pieces.tsx';
import { useReasons } from './useReasons.ts';
import { useWhen } from './useWhen.ts';
import { whyNot } from './whyNot.ts';

const FIRST = 6;
const inks = { rule: 'text.tertiary', lost: 'error.ink', won: 'primary.ink' } as const;

/** Each slot that was seen and not taken, newest first, with the rule that kept it or who was faster. */
export function WhyCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const query = useInfiniteQuery(detailQueries.seen(task.id));
  const all = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  const shown = open ? all : all.slice(0, FIRST);
  const foot =
    total > FIRST ? (
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, ml: -1.5 }}>
        {!open && (
          <Button variant="text" size="small" onClick={() => setOpen(true)} endIcon={<Icon name="chevronRight" size={16} />}>
            {t('why.all', { count: total })}
          </Button>
        )}
        {open && query.hasNextPage && (
          <Button
            variant="text"
            size="small"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
            endIcon={<Icon name="chevronDown" size={16} />}
          >
            {t('why.more')}
          </Button>
        )}
        {open && (
          <Button variant="text" size="small" onClick={() => setOpen(false)}>
            {t('why.less')}
          </Button>
        )}
      </Box>
    ) : undefined;
  return (
    <Part
      title={t('why.title')}
      mark={
        shown.length > 0 && (
          <Box component="span" sx={{ fontSize: 13, color: 'text.tertiary' }}>
            {t('why.recent', { count: shown.length })}
          </Box>
        )
      }
      foot={foot}
    >
      <Ready query={query} skeleton={<Rows count={5} height={46} />}>
        {() =>
          all.length === 0 ? (
            <Empty>{t('why.empty')}</Empty>
          ) : (
            <Box component="ul" sx={{ '& > li + li': { borderTop: 1, borderColor: 'divider' } }}>
              {shown.map((entry) => (
                <Row key={`${entry.seen_at}-${entry.facility}-${entry.date}-${entry.time}`} entry={entry} task={task} />
              ))}
            </Box>
          )
        }
      </Ready>
    </Part>
  );
}

/** How long it was there, where that is known. */
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
  const { facts, say } = useReasons(task);
  const reason = whyNot(entry, facts);
  return (
    <Box
      component="li"
      sx={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: '2px 12px', py: 1.5, '&:first-of-type': { pt: 0.25 } }}
    >
      <Box sx={{ fontSize: 15, lineHeight: 1.5, fontWeight: 600, minWidth: 0 }}>
        {unbroken(entry.date)}
        <Box
          component="span"
          sx={{
            display: { xs: 'block', sm: 'inline' },
            ml: { xs: 0, sm: 1 },
            fontSize: 14,
            fontWeight: 400,
            color: 'text.secondary',
          }}
        >
          {cityName(entry.facility)}
          {entry.time && ` ${clock(entry.time, language)}`}
        </Box>
      </Box>
      <Box sx={{ fontSize: 13, lineHeight: 1.7, color: 'text.tertiary', textAlign: 'right', whiteSpace: 'nowrap' }}>
        {when(entry.seen_at)}
      </Box>
      <Box
        sx={{
          gridColumn: '1 / -1',
          display: 'flex',
          gap: 1,
          fontSize: 14,
          lineHeight: 1.6,
          color: 'text.secondary',
          '& > svg': { mt: '3px' },
        }}
      >
        <Box component="span" sx={{ color: inks[reason.tone], mt: '3px' }}>
          <Icon name={reason.icon} size={16} />
        </Box>
        <span>
          {[say(reason), reason.spent && (t(reason.spent) as string)].filter(Boolean).join(language === 'zh' ? '' : ' ')}
          {alive && (
            <Box component="span" sx={{ color: 'text.tertiary' }}>
              {language === 'zh' ? '' : ' '}
              <NoWrap>{alive}</NoWrap>
            </Box>
          )}
        </span>
      </Box>
    </Box>
  );
}

import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';
import type { SystemStatus } from '../../api/types.ts';
import { instantClock } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import type { Words } from '../../i18n/words.ts';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Tag } from '../../ui/Tag.tsx';

const portalWords: Record<SystemStatus['portal']['state'], Words> = {
  ok: 'system.portalOk',
  slow: 'system.portalSlow',
  down: 'system.portalDown',
  unknown: 'system.portalUnknown',
};

/** Whether the portal answers, whether our engine runs, and what it did in the last hour; facts of this server only. */
export function SystemPanel() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, isError } = useQuery(queries.status());
  const fine = data?.engine.active && (data.portal.state === 'ok' || data.portal.state === 'unknown');
  const rows = data
    ? [
        {
          label: t('system.portal'),
          value: t(portalWords[data.portal.state]),
          note: data.portal.last_answer_at
            ? t('system.lastAnswer', { time: instantClock(data.portal.last_answer_at, language) })
            : null,
        },
        {
          label: t('system.engine'),
          value: data.engine.active ? t('system.engineOn') : t('system.engineOff'),
          note: data.engine.last_look_at
            ? t('system.lastLook', { time: instantClock(data.engine.last_look_at, language) })
            : null,
        },
        { label: t('system.looks'), value: t('system.looksValue', { count: data.engine.looks_last_hour }), note: null },
      ]
    : [];
  return (
    <Card component="section" aria-labelledby="system-title">
      <CardHeader icon="activity" title={t('nav.status')} id="system-title">
        {data && (
          <Tag tone={fine ? 'ok' : 'warn'} icon={fine ? 'check' : 'alert'}>
            {fine ? t('system.fine') : t('system.notFine')}
          </Tag>
        )}
      </CardHeader>
      <Box component="dl" sx={{ p: { xs: '10px 16px 16px', sm: '10px 20px 20px' } }}>
        {isError && !data && <Box sx={{ fontSize: 14, color: 'text.secondary' }}>{t('system.failed')}</Box>}
        {rows.map((row) => (
          <Box
            key={row.label}
            sx={{
              display: 'grid',
              gridTemplateColumns: '1fr auto',
              gap: '2px 12px',
              py: 1.5,
              borderTop: 1,
              borderColor: 'divider',
              fontSize: 14,
              '&:first-of-type': { borderTop: 0 },
            }}
          >
            <dt>{row.label}</dt>
            <Box component="dd" sx={{ color: 'text.secondary', textAlign: 'right' }}>
              {row.value}
            </Box>
            {row.note && (
              <Box component="dd" sx={{ gridColumn: '1 / -1', fontSize: 13, color: 'text.tertiary' }}>
                {row.note}
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </Card>
  );
}

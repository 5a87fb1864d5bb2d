import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';
import { usualHours } from '../../lib/supportHours.ts';
import { CopyRow } from './CopyRow.tsx';

/** Whom to ask for a code; what the operator has not configured is not shown. */
export function SupportContacts() {
  const { t } = useTranslation();
  const { data } = useQuery(queries.support());
  if (!data || !(data.wechat_id || data.email || data.xiaohongshu_id)) return null;
  const season = data.hours ? usualHours(data.hours, Date.now()) : null;
  return (
    <Box sx={{ p: { xs: '12px 16px', sm: '12px 20px' }, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary', lineHeight: 1.55, mb: 0.5 }}>
        {t('support.title')}
        {data.hours && (
          <Box component="span" sx={{ display: 'block', color: 'text.tertiary' }}>
            {season ? t('support.hours', season) : data.hours}
          </Box>
        )}
      </Box>
      {data.wechat_id && <CopyRow icon="chat" label={t('support.wechat', { id: data.wechat_id })} value={data.wechat_id} />}
      {data.email && <CopyRow icon="mail" label={data.email} value={data.email} />}
      {data.xiaohongshu_id && (
        <CopyRow icon="user" label={t('support.xiaohongshu', { id: data.xiaohongshu_id })} value={data.xiaohongshu_id} />
      )}
    </Box>
  );
}

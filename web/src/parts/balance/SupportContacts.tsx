import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import type { Support } from '../../shared/api/types.ts';
import { CopyRow } from './CopyRow.tsx';
import { usualHours } from './supportHours.ts';

/** The code's drawing is loaded when somebody wants to see one. */
const QrDialog = lazy(async () => ({ default: (await import('./QrDialog.tsx')).QrDialog }));

/** What an operator may set besides ids: what the QR codes say, and the name of the group. */
type Contacts = Support & Partial<Record<'wechat_qr' | 'group_name' | 'group_qr', string | null>>;

/** Whom to ask for a code; what the operator has not configured is not shown. */
export function SupportContacts() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'wechat' | 'group' | null>(null);
  const query = useQuery(queries.support());
  const data: Contacts | undefined = query.data;
  if (!data) return null;
  const wechatQr = data.wechat_qr ?? data.wechat_id;
  if (!(data.wechat_id || wechatQr || data.email || data.xiaohongshu_id || data.group_qr)) return null;
  const season = data.hours ? usualHours(data.hours, Date.now()) : null;
  const group = data.group_name ? t('support.group', { name: data.group_name }) : t('support.groupPlain');
  const wechat = data.wechat_id ? t('support.wechat', { id: data.wechat_id }) : t('support.qrWechatTitle');
  return (
    <Box sx={{ p: { xs: '12px 16px', sm: '12px 20px' }, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary', lineHeight: 1.55, mb: 0.5 }}>
        {t('support.title')}
        {data.hours && (
          <Box component="span" sx={{ display: 'block', color: 'text.tertiary' }}>
            {(season ? t('support.hours', season) : data.hours).split(/(?<=[，,]) ?/).map((part) => (
              <Box component="span" key={part} sx={{ display: 'inline-block', mr: 0.5 }}>
                {part}
              </Box>
            ))}
          </Box>
        )}
      </Box>
      {wechatQr && <CopyRow icon="chat" label={wechat} value={data.wechat_id} onQr={() => setShown('wechat')} />}
      {data.group_qr && <CopyRow icon="users" label={group} onQr={() => setShown('group')} />}
      {data.email && <CopyRow icon="mail" label={data.email} value={data.email} />}
      {data.xiaohongshu_id && (
        <CopyRow icon="user" label={t('support.xiaohongshu', { id: data.xiaohongshu_id })} value={data.xiaohongshu_id} />
      )}
      <Suspense fallback={null}>
        {shown === 'wechat' && wechatQr && (
          <QrDialog
            title={t('support.qrWechatTitle')}
            value={wechatQr}
            label={t('support.qrOf', { what: wechat })}
            id={data.wechat_id ?? null}
            onClose={() => setShown(null)}
          />
        )}
        {shown === 'group' && data.group_qr && (
          <QrDialog
            title={t('support.qrGroupTitle')}
            value={data.group_qr}
            label={t('support.qrOf', { what: group })}
            id={null}
            onClose={() => setShown(null)}
          />
        )}
      </Suspense>
    </Box>
  );
}

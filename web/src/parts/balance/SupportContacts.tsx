import { useQuery } from '@tanstack/react-query';
import { Mail, MessageCircle, User, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Support } from '../../shared/api/types.ts';
import { CardFooter } from '../../shared/ui/Card.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './balance.module.css';
import { CopyRow } from './CopyRow.tsx';
import { balanceQueries } from './queries.ts';
import { usualHours } from './supportHours.ts';

/** The code's drawing is loaded when somebody wants to see one. */
const QrDialog = lazy(async () => ({ default: (await import('./QrDialog.tsx')).QrDialog }));

/** What an operator may set besides ids: what the QR codes say, and the name of the group. */
type Contacts = Support & Partial<Record<'wechat_qr' | 'group_name' | 'group_qr', string | null>>;

/** Whom to ask for a code; what the operator has not configured is not shown. */
export function SupportContacts() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'wechat' | 'group' | null>(null);
  const query = useQuery(balanceQueries.support());
  const data: Contacts | undefined = query.data;
  if (!data) return null;
  const wechatQr = data.wechat_qr ?? data.wechat_id;
  if (!(data.wechat_id || wechatQr || data.email || data.xiaohongshu_id || data.group_qr)) return null;
  const season = data.hours ? usualHours(data.hours, Date.now()) : null;
  const group = data.group_name ? t('support.group', { name: data.group_name }) : t('support.groupPlain');
  const wechat = data.wechat_id ? t('support.wechat', { id: data.wechat_id }) : t('support.qrWechatTitle');
  return (
    <CardFooter>
      <Text as="div" variant="caption" color="secondary" className={styles.ask}>
        {t('support.title')}
        {data.hours && (
          <span className={styles.hours}>
            {(season ? t('support.hours', season) : data.hours).split(/(?<=[，,]) ?/).map((part) => (
              <span key={part} className={styles.piece}>
                {part}
              </span>
            ))}
          </span>
        )}
      </Text>
      {wechatQr && <CopyRow icon={MessageCircle} label={wechat} value={data.wechat_id} onQr={() => setShown('wechat')} />}
      {data.group_qr && <CopyRow icon={Users} label={group} onQr={() => setShown('group')} />}
      {data.email && <CopyRow icon={Mail} label={data.email} value={data.email} />}
      {data.xiaohongshu_id && (
        <CopyRow icon={User} label={t('support.xiaohongshu', { id: data.xiaohongshu_id })} value={data.xiaohongshu_id} />
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
    </CardFooter>
  );
}

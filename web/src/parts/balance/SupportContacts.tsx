import { useQuery } from '@tanstack/react-query';
import { Mail, MessageCircle, User, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardFooter } from '../../shared/ui/Card.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './balance.module.css';
import { CopyRow } from './CopyRow.tsx';
import { balanceQueries } from './queries.ts';
import { usualHours } from './supportHours.ts';

/** Loaded when somebody wants to see a code. */
const QrDialog = lazy(async () => ({ default: (await import('./QrDialog.tsx')).QrDialog }));

/** Whom to ask for a code; what the operator has not configured is not shown. */
export function SupportContacts() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'wechat' | 'group' | null>(null);
  const { data } = useQuery(balanceQueries.support());
  if (!data) return null;
  const { wechat_picture: wechatQr, group_picture: groupQr } = data;
  if (!(data.wechat_id || wechatQr || data.email || data.xiaohongshu_id || groupQr)) return null;
  const shows = (which: 'wechat' | 'group', picture: string | null | undefined) => (picture ? () => setShown(which) : undefined);
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
      {(data.wechat_id || wechatQr) && (
        <CopyRow icon={MessageCircle} label={wechat} value={data.wechat_id} onQr={shows('wechat', wechatQr)} />
      )}
      {groupQr && <CopyRow icon={Users} label={group} onQr={shows('group', groupQr)} />}
      {data.email && <CopyRow icon={Mail} label={data.email} value={data.email} />}
      {data.xiaohongshu_id && (
        <CopyRow icon={User} label={t('support.xiaohongshu', { id: data.xiaohongshu_id })} value={data.xiaohongshu_id} />
      )}
      <Suspense fallback={null}>
        {shown === 'wechat' && wechatQr && (
          <QrDialog
            title={t('support.qrWechatTitle')}
            picture={wechatQr}
            label={t('support.qrOf', { what: wechat })}
            id={data.wechat_id ?? null}
            onClose={() => setShown(null)}
          />
        )}
        {shown === 'group' && groupQr && (
          <QrDialog
            title={t('support.qrGroupTitle')}
            picture={groupQr}
            label={t('support.qrOf', { what: group })}
            id={null}
            onClose={() => setShown(null)}
          />
        )}
      </Suspense>
    </CardFooter>
  );
}

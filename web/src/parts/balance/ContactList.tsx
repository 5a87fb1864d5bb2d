import { Mail, MessageCircle, User, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Support } from '../../shared/api/types.ts';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './balance.module.css';
import { CopyRow } from './CopyRow.tsx';
import { usualHours } from './supportHours.ts';

/** The code of the dialog loads when the user opens a QR code. */
const QrDialog = lazy(async () => ({ default: (await import('./QrDialog.tsx')).QrDialog }));

/**
 * Renders the hours and the contacts of support. Contacts that the operator has not configured are
 * omitted.
 */
export function ContactList({ data }: { data: Support }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'wechat' | 'group' | null>(null);
  const { wechat_picture: wechatQr, group_picture: groupQr } = data;
  const shows = (which: 'wechat' | 'group', picture: string | null | undefined) => (picture ? () => setShown(which) : undefined);
  const season = data.hours ? usualHours(data.hours, Date.now()) : null;
  const group = data.group_name ? t('support.group', { name: data.group_name }) : t('support.groupPlain');
  const wechat = data.wechat_id ? t('support.wechat', { id: data.wechat_id }) : t('support.qrWechatTitle');
  return (
    <>
      {data.hours && (
        <Text as="div" variant="caption" color="secondary" className={styles.ask}>
          <span className={styles.hours}>
            {(season ? t('support.hours', season) : data.hours).split(/(?<=[，,]) ?/).map((part) => (
              <span key={part} className={styles.piece}>
                {part}
              </span>
            ))}
          </span>
        </Text>
      )}
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
    </>
  );
}

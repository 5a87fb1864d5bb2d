import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Support } from '../../api/types.ts';
import { usualHours } from '../../lib/supportHours.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/iconPaths.tsx';
import { CopyRow } from '../money/CopyRow.tsx';
import { Section } from './Section.tsx';

const QrImage = lazy(async () => ({ default: (await import('../money/QrImage.tsx')).QrImage }));
const QR_SIZE = 220;

interface Contact {
  icon: IconName;
  title: string;
  text: string;
  /** What is copied; also what a code without a text of its own stands for. */
  value: string | null | undefined;
  qr: string | null | undefined;
}

/** Four ways to a person; what the operator has not set up is not shown. */
export function ContactCards({ support }: { support: Support | undefined }) {
  const { t } = useTranslation();
  if (!support) return null;
  const season = usualHours(support.hours, Date.now());
  const contacts: Contact[] = [
    {
      icon: 'chat',
      title: t('landing.contactWechat'),
      text: t('landing.contactWechatText'),
      value: support.wechat_id,
      qr: support.wechat_qr,
    },
    {
      icon: 'user',
      title: t('landing.contactGroup'),
      text: t('landing.contactGroupText'),
      value: support.group_name,
      qr: support.group_qr,
    },
    { icon: 'mail', title: t('landing.contactMail'), text: t('landing.contactMailText'), value: support.email, qr: null },
    {
      icon: 'note',
      title: t('landing.contactSocial'),
      text: t('landing.contactSocialText'),
      value: support.xiaohongshu_id,
      qr: support.xiaohongshu_qr,
    },
  ];
  const there = contacts.filter((contact) => contact.value || contact.qr);
  if (there.length === 0) return null;
  return (
    <Section id="contact" title={t('landing.contactTitle')} lead={season ? t('support.hours', season) : support.hours}>
      <Box
        component="ul"
        sx={{ display: 'grid', gap: { xs: 2, md: 3 }, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: 'repeat(4, 1fr)' } }}
      >
        {there.map((contact) => (
          <Card
            component="li"
            key={contact.title}
            sx={{ p: 2.5, display: 'grid', justifyItems: 'center', alignContent: 'start', gap: 1, textAlign: 'center' }}
          >
            {contact.qr ? (
              <Suspense fallback={<Skeleton variant="rounded" width={QR_SIZE} height={QR_SIZE} />}>
                <QrImage value={contact.qr} label={t('landing.qr', { what: contact.title })} />
              </Suspense>
            ) : (
              <Box
                sx={{
                  width: QR_SIZE,
                  height: QR_SIZE,
                  borderRadius: '12px',
                  bgcolor: 'background.quiet',
                  color: 'primary.main',
                  display: 'grid',
                  placeItems: 'center',
                }}
              >
                <Icon name={contact.icon} size={64} />
              </Box>
            )}
            <Typography variant="h6" component="h3" sx={{ mt: 0.5 }}>
              {contact.title}
            </Typography>
            <Typography variant="caption" color="textSecondary">
              {contact.text}
            </Typography>
            {contact.value && (
              <Box sx={{ width: '100%', textAlign: 'left', borderTop: 1, borderColor: 'divider', pt: 0.5, mt: 0.5 }}>
                <CopyRow icon={contact.icon} label={contact.value} value={contact.value} />
              </Box>
            )}
          </Card>
        ))}
      </Box>
    </Section>
  );
}

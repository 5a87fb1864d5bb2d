import { Check, CircleX, Clock, Info, Laptop, type LucideIcon, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Age } from './Age.tsx';
import styles from './cards.module.css';
import { useLive } from './live.tsx';
import { useStatusTexts, When } from './statusTexts.tsx';

interface Props {
  id: string;
  icon: LucideIcon;
  title: string;
  tag: ReactNode;
  /** Facts of the card. */
  children: ReactNode;
}

/** Renders a card of the right column: a title with the state, and facts. */
export function SideCard({ id, icon, title, tag, children }: Props) {
  return (
    <Card as="section" aria-labelledby={id}>
      <CardHeader icon={<Icon of={icon} />} title={title} id={id}>
        {tag}
      </CardHeader>
      <div className={styles.body}>
        <dl>{children}</dl>
      </div>
    </Card>
  );
}

/** Renders one fact of a side card. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Renders the state of our own pages and API, as this browser observes it. */
export function SiteCard() {
  const { t } = useTranslation();
  const now = useStatusTexts('now');
  const dataUpdatedAt = useLive()?.dataUpdatedAt ?? 0;
  const tag = (
    <>
      <When is="unreachable">
        <Badge tone="error" icon={CircleX}>
          {t('status.siteDown')}
        </Badge>
      </When>
      <When is="offline">
        <Badge tone="quiet" icon={Info}>
          {t('status.siteOffline')}
        </Badge>
      </When>
      <When not="silent">
        <Badge tone="ok" icon={Check}>
          {t('status.siteOk')}
        </Badge>
      </When>
    </>
  );
  return (
    <SideCard id="site-title" icon={Laptop} title={t('status.site')} tag={tag}>
      <Fact label={t('status.siteLast')}>{dataUpdatedAt > 0 ? <Age at={dataUpdatedAt} /> : now.moment('read')}</Fact>
    </SideCard>
  );
}

const mailTags = [
  ['mail_ok', 'ok', Check, 'status.mailOk'],
  ['mail_failing', 'warning', Clock, 'status.mailFailing'],
  ['mail_off', 'quiet', Info, 'status.mailOff'],
] as const;

/** Renders whether our mails and messages are delivered. */
export function DeliveryCard() {
  const { t } = useTranslation();
  const now = useStatusTexts('now');
  const tag = mailTags.map(([name, tone, icon, textKey]) => (
    <When key={name} is={name}>
      <Badge tone={tone} icon={icon}>
        {t(textKey)}
      </Badge>
    </When>
  ));
  return (
    <SideCard id="delivery-title" icon={Mail} title={t('status.delivery')} tag={tag}>
      <When is="mails">
        <Fact label={t('status.mailSent')}>{now.number('sent', 'status.mails')}</Fact>
        <Fact label={t('status.mailWaiting')}>{now.number('waiting', 'status.mails')}</Fact>
      </When>
      <When is="retried">
        <Fact label={t('status.mailRetried')}>{now.number('retried', 'status.mails')}</Fact>
      </When>
      <When is="oldest">
        <Fact label={t('status.mailOldest')}>{now.span('oldest')}</Fact>
      </When>
    </SideCard>
  );
}

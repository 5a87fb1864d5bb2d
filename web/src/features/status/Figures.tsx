import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './PortalCard.module.css';
import { useStatusTexts, When } from './statusTexts.tsx';
import { ENOUGH_LOOKS } from './uptime.ts';

interface ValueProps {
  value: ReactNode;
  unit?: string;
  quiet?: boolean;
  children: ReactNode;
}

function Value({ value, unit, quiet = false, children }: ValueProps) {
  return (
    <>
      <dd className={quiet ? `${styles.value} ${styles.pale}` : styles.value}>
        {value}
        {unit && <span className={styles.unit}>{unit}</span>}
      </dd>
      <dd className={styles.about}>{children}</dd>
    </>
  );
}

/**
 * Renders the share of answered polls. With few polls it shows their number, because a share would
 * be misleading.
 */
function Share({ label, of, name }: { label: string; of: 'now' | 'past'; name: string }) {
  const { t } = useTranslation();
  const texts = useStatusTexts(of);
  const looks = [`${name}_looks_one`, `${name}_looks_many`].map((one) => texts.when(one, texts.text(one))).join('');
  const enough = { enough: ENOUGH_LOOKS };
  return (
    <div>
      <dt>{label}</dt>
      <When of={of} is={`${name}_share`}>
        <Value value={texts.text(`${name}_share`)} unit="%">
          {t('status.ofLooks', { looks: texts.text(`${name}_of`) })}
        </Value>
      </When>
      <When of={of} is={`${name}_few`}>
        <Value value={looks} unit={texts.number(`${name}_looks`, 'status.looksUnit')} quiet>
          {texts.when(`${name}_all`, t('status.fewAllAnswered', enough)) +
            texts.when(`${name}_answers`, t('status.fewAnswered', { ...enough, answers: texts.text(`${name}_answers`) }))}
        </Value>
      </When>
      <When of={of} is={`${name}_none`}>
        <Value value="–" quiet>
          {t('status.noLooks')}
        </Value>
      </When>
      <When of={of} not="known">
        <Value value="–" quiet>
          {t('status.notRead')}
        </Value>
      </When>
    </div>
  );
}

function Latency() {
  const { t } = useTranslation();
  const now = useStatusTexts('now');
  const range = { least: now.text('line_least'), most: now.text('line_most') };
  return (
    <div>
      <dt>{t('status.latency')}</dt>
      <When is="latency">
        <Value value={now.text('latency')} unit={t('status.secondsUnit')}>
          <When is="line">
            <svg
              viewBox="0 0 120 28"
              preserveAspectRatio="none"
              className={styles.line}
              role="img"
              aria-label={t('status.latencySays', range)}
            >
              <path d={now.text('line')} />
            </svg>
          </When>
        </Value>
      </When>
      <When not="latency">
        <Value value="–" quiet>
          {t('status.noLooksLately')}
        </Value>
      </When>
    </div>
  );
}

/**
 * Renders the shares of answered polls in a day, a month and three months, and the portal's
 * response time.
 */
export function Figures() {
  const { t } = useTranslation();
  return (
    <dl className={styles.figures}>
      <Share label={t('status.day')} of="now" name="day" />
      <Share label={t('status.month')} of="past" name="month" />
      <Share label={t('status.quarter')} of="past" name="quarter" />
      <Latency />
    </dl>
  );
}

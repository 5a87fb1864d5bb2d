import { useTranslation } from 'react-i18next';
import { applicantNames } from '../../parts/task/taskView.ts';
import { useBilling } from '../../shared/api/billing.ts';
import type { Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { zoneTitle } from '../../shared/i18n/displayZone.ts';
import { amount, clock, dateInFull, instantInFull, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { PrintSheet } from '../../shared/ui/PrintSheet.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './ReceiptSheet.module.css';
import type { BookingReceipt } from './receipts.ts';

/**
 * Renders the receipt of one booking: numbers, applicants, the old and the new date, and the
 * charge.
 */
export function ReceiptSheet({ task, receipt }: { task: Task; receipt: BookingReceipt }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const first = task.appointments[0];
  const { fingerprints } = receipt;
  const at = (date: string, time: string | null, city: string) =>
    [dateInFull(date, language), time && clock(time, language), city].filter(Boolean).join(' ');
  const rows = [
    [t('stub.number'), receipt.number],
    [t('stub.issued'), instantInFull(receipt.at, language)],
    [t('stub.task'), task.id],
    [t('stub.group'), task.portal_schedule_id],
    ...(first?.ivr_account_number ? [[t('stub.ivr'), first.ivr_account_number]] : []),
    [t('stub.applicants'), joined(applicantNames(task.appointments), language)],
    ...(first?.visa_class ? [[t('stub.visa'), visaClass(first.visa_class, language)]] : []),
    [t('stub.before'), receipt.from ? dateInFull(receipt.from, language) : t('stub.first')],
    [t('stub.after'), at(receipt.date, receipt.time, cityName(receipt.facility))],
    ...(fingerprints
      ? [
          [
            t('stub.fingerprints'),
            at(fingerprints.date, fingerprints.time, language === 'zh' ? fingerprints.city_zh : fingerprints.city),
          ],
        ]
      : []),
    ...(receipt.daysAdvanced === null ? [] : [[t('stub.gained'), t('unit.days', { count: receipt.daysAdvanced })]]),
  ];
  const billing = useBilling();
  const charged = receipt.charged > 0;
  return (
    <PrintSheet title={t('stub.title')}>
      <dl className={styles.rows}>
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {billing && (
        <div className={styles.charge}>
          <div className={styles.chargeText}>
            <Text variant="h4">{t('stub.charged')}</Text>
            {charged && (
              <Text variant="caption" color="secondary">
                <Pieces
                  of={[
                    t('stub.unit', {
                      amount: amount(task.price.unit_price),
                      currency: receipt.currency,
                      count: task.price.applicants_count,
                    }),
                    t('stub.balance'),
                  ]}
                />
              </Text>
            )}
          </div>
          <p className={charged ? styles.amount : styles.free}>
            {charged
              ? t('unit.cad', { amount: amount(receipt.charged), currency: receipt.currency })
              : t('stub.free', { currency: receipt.currency })}
          </p>
        </div>
      )}
      <div className={styles.small}>
        <p>{t('stub.zone', { zone: zoneTitle(language) })}</p>
        <p>{t('stub.notGovernment')}</p>
      </div>
    </PrintSheet>
  );
}

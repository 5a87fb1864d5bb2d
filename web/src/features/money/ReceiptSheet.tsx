import { useTranslation } from 'react-i18next';
import { MovementName, MovementNote } from '../../parts/balance/MovementNote.tsx';
import { partTexts } from '../../parts/balance/movements.ts';
import type { Receipt } from '../../shared/api/money.ts';
import { zoneTitle } from '../../shared/i18n/displayZone.ts';
import { amount, instantInFull } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { PrintSheet } from '../../shared/ui/PrintSheet.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { paperTexts } from './papers.ts';
import styles from './Receipt.module.css';

/** Formats an amount for a receipt. Only deductions have a sign. */
const negative = (value: number) => (value < 0 ? `−${amount(-value)}` : amount(value));

/** Renders a receipt: issuer, customer, purpose, amount, and the balance afterwards. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, issuer, included_tax: tax } = receipt;
  const when = (instant: string) => instantInFull(instant, language);
  const facts = [
    [t('receipt.number'), receipt.number],
    [t('receipt.at'), when(receipt.at)],
    [t('receipt.from'), issuer && [issuer.name, issuer.address].filter(Boolean).join(', ')],
    [t('receipt.taxNumber'), issuer?.tax_number],
    [t('receipt.to'), receipt.to],
    [t('receipt.issued'), receipt.issued_at !== receipt.at && when(receipt.issued_at)],
  ].filter(([, value]) => value);
  const paper = paperTexts(receipt.kind);
  const wide = classes(styles.figure, styles.wide);
  return (
    <PrintSheet title={t(paper.title)}>
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div key={`${term}`}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div>
        <Text as="h2" variant="h4">
          <MovementName movement={receipt} />
        </Text>
        <Text variant="small" color="secondary">
          <MovementNote movement={receipt} />
        </Text>
        {paper.text && <Text variant="small">{t(paper.text)}</Text>}
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('receipt.item')}</th>
            <th scope="col" className={wide}>
              {t('receipt.quantity')}
            </th>
            <th scope="col" className={wide}>
              {t('receipt.price')}
            </th>
            <th scope="col" className={styles.figure}>
              {t('receipt.sum')}
            </th>
          </tr>
        </thead>
        <tbody>
          {receipt.lines.map((line) => (
            <tr key={line.type}>
              <td>
                {t(partTexts(line.type))}
                <Text as="div" variant="caption" color="tertiary" className={styles.narrow}>
                  {t('cost.line', { price: amount(Math.abs(line.unit_amount)), count: line.count })}
                </Text>
              </td>
              <td className={wide}>{line.count}</td>
              <td className={wide}>{negative(line.unit_amount)}</td>
              <td className={styles.figure}>{negative(line.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{t('receipt.total')}</td>
            <td className={styles.wide} colSpan={2} />
            <td className={styles.figure}>{t('unit.cad', { amount: amount(receipt.total), currency })}</td>
          </tr>
          {tax && (
            <tr className={styles.tax}>
              <td>{t('receipt.tax', { percent: tax.percent, name: tax.name })}</td>
              <td className={styles.wide} colSpan={2} />
              <td className={styles.figure}>{t('unit.cad', { amount: amount(tax.amount), currency })}</td>
            </tr>
          )}
        </tfoot>
      </table>
      <Text as="div" variant="caption" color="secondary" tabular className={styles.small}>
        <span>
          <Pieces
            of={[
              `${t('receipt.balanceAfter')} ${amount(receipt.balance_after)}`,
              `${t('receipt.heldAfter')} ${amount(receipt.held_after)}`,
            ]}
          />
        </span>
        <span>{t('receipt.note', { currency, zone: zoneTitle(language) })}</span>
        {!issuer && <span>{t('receipt.issuer')}</span>}
      </Text>
    </PrintSheet>
  );
}

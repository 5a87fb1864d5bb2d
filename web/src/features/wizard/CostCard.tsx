import { useQuery } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AfterCharge } from '../../parts/balance/AfterCharge.tsx';
import { CostBreakdown } from '../../parts/balance/CostBreakdown.tsx';
import { EstimateNotice } from '../../parts/balance/EstimateNotice.tsx';
import { cents } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import { amount, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { CodeEntry } from './CodeEntry.tsx';
import { CodesUnchecked } from './CodesUnchecked.tsx';
import styles from './CostCard.module.css';
import { usePriceCodes } from './priceCodes.ts';
import { useWizardPrice } from './useWizardPrice.ts';
import type { Choice } from './wizardChoice.ts';

type WizardPrice = NonNullable<ReturnType<typeof useWizardPrice>['price']>;

/**
 * Properties of the price card, which shows each group with its discounts, the amount to put on
 * hold, and the remaining balance. `codes` adds the entry of codes (step 3).
 */
interface Props {
  chosen: Choice[];
  codes?: boolean;
  /** True if the task only notifies and never books. The text about the charge then differs. */
  notifyOnly?: boolean;
}

export function CostCard({ chosen, codes = false, notifyOnly = false }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { price, cost, unchecked, loading: asking, retry: askAgain } = useWizardPrice(chosen);
  const { data: credit } = useQuery(queries.credit());
  const names = Object.fromEntries(
    chosen.map((choice) => [choice.group.id, joined(choice.appointment.applicant_names, language)]),
  );
  return (
    <Card as="section" aria-labelledby="cost-title">
      <CardHeader icon={<Icon of={Wallet} />} title={t('cost.title')} id="cost-title" />
      <CardBody className={styles.body}>
        {unchecked ? (
          <CodesUnchecked {...unchecked} asking={asking} onRetry={askAgain} />
        ) : !price || !cost ? (
          <Skeleton kind="block" />
        ) : (
          <>
            {price.estimate && <EstimateNotice onRetry={askAgain} retrying={asking} />}
            <UnitPrice price={price} />
            <CostBreakdown cost={cost} names={names} totalLabel={price.estimate ? t('cost.estimated') : t('cost.held')} />
            {codes && !price.estimate && <Codes price={price} asking={asking} />}
            {credit &&
              (chosen.length > 0 || credit.credit >= price.unit_price ? (
                <>
                  <AfterCharge
                    before={credit.credit}
                    after={cents(credit.credit - cost.total_amount)}
                    currency={credit.currency}
                    rehearsal
                  />
                  {/* Step 3 shows the missing amount beside the payment methods. */}
                  {!codes && cost.total_amount > credit.credit && (
                    <Alert tone="warning" live="status">
                      {t('cost.short', { amount: amount(cents(cost.total_amount - credit.credit)), currency: credit.currency })}
                    </Alert>
                  )}
                </>
              ) : (
                <Alert tone="warning">
                  {t('cost.tooLittle', {
                    price: amount(price.unit_price),
                    available: amount(credit.credit),
                    currency: credit.currency,
                  })}
                </Alert>
              ))}
          </>
        )}
        <Text variant="caption" color="secondary">
          {t(notifyOnly ? 'cost.promiseNotify' : 'cost.promise')}
        </Text>
      </CardBody>
    </Card>
  );
}

function UnitPrice({ price }: { price: WizardPrice }) {
  const { t } = useTranslation();
  return (
    <div className={styles.unit}>
      <span>{t('cost.unit')}</span>
      {price.original_price > price.unit_price && <s className={styles.before}>{amount(price.original_price)}</s>}
      <span>{t('unit.cad', { amount: amount(price.unit_price), currency: price.currency })}</span>
    </div>
  );
}

function Codes({ price, asking }: { price: WizardPrice; asking: boolean }) {
  const given = usePriceCodes();
  return (
    <div className={styles.codes}>
      {(['promo', 'referral'] as const).map((kind) => (
        <CodeEntry
          key={`${kind}${given[kind]}`}
          kind={kind}
          given={given[kind]}
          answer={price[kind]}
          currency={price.currency}
          asking={asking}
        />
      ))}
    </div>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { capabilityWhile } from '../../parts/task/capabilities.ts';
import type { DiscountLine, Task } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/mask.ts';
import { amount, instantParts } from '../../shared/i18n/format.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { Part, Terms } from './Part.tsx';

const kinds: Record<DiscountLine['type'], Words> = {
  personal: 'task.discount_personal',
  group: 'task.discount_group',
  promo: 'task.discount_promo',
  referral: 'task.discount_referral',
};

function chipOf({ price }: Task): Words {
  if (price.captured > 0) return 'rail.paid';
  if (price.on_hold > 0) return 'rail.hold';
  return price.total === 0 ? 'rail.freeOfCharge' : 'rail.noHold';
}

function noteOf({ price }: Task): Words | null {
  if (price.captured > 0) return 'rail.pricePaid';
  if (price.on_hold > 0) return 'rail.priceHold';
  return price.total === 0 ? null : 'rail.priceNone';
}

interface Props {
  task: Task;
  hidden: boolean;
  busy: boolean;
  onDelete: () => void;
}

/** What the task costs and what becomes of it; deleting stands beside what it gives back. */
export function PriceCard({ task, hidden, busy, onDelete }: Props) {
  const { t } = useTranslation();
  const { price } = task;
  const remove = capabilityWhile(busy, task, 'delete');
  const written = (value: number) => (hidden ? MASKED_AMOUNT : amount(value));
  const money = (value: number) => t('unit.cad', { amount: written(value), currency: price.currency });
  const original = price.original_unit_price > price.unit_price ? price.original_unit_price : null;
  const note = noteOf(task);
  const rows = [
    {
      term: t('rail.unit'),
      value: (
        <>
          {money(price.unit_price)}
          {original !== null && (
            <Box component="s" sx={{ ml: 1, color: 'text.tertiary' }}>
              {written(original)}
            </Box>
          )}
        </>
      ),
    },
    ...price.discount_lines.map((line) => ({ term: t(kinds[line.type]), value: `−${written(line.amount)}` })),
    { term: t('rail.people'), value: `× ${price.applicants_count}` },
    { term: t('rail.total'), value: <b>{money(price.total)}</b> },
    ...(price.captured > 0 && price.captured_at
      ? [
          {
            term: t('rail.captured'),
            value: t('rail.capturedOn', {
              amount: written(price.captured),
              currency: price.currency,
              date: instantParts(price.captured_at).date,
            }),
          },
        ]
      : []),
    ...(price.unpaid_remainder > 0 ? [{ term: t('rail.unpaid'), value: money(price.unpaid_remainder) }] : []),
  ];
  return (
    <Part
      icon="wallet"
      title={t('rail.price')}
      mark={<Tag tone="line">{t(chipOf(task))}</Tag>}
      foot={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 12px' }}>
          <Box component="span" sx={{ flex: '1 1 160px', fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
            {price.on_hold > 0
              ? t('rail.deleteReturns', { amount: written(price.on_hold), currency: price.currency })
              : t('rail.deleteNothing')}
            {remove.why && (
              <Box component="span" sx={{ display: 'block' }}>
                {t(remove.why)}
              </Box>
            )}
          </Box>
          <Button
            variant="text"
            color="error"
            size="small"
            disabled={!remove.allowed}
            onClick={onDelete}
            startIcon={<Icon name="trash" size={16} />}
            sx={{ mr: -1 }}
          >
            {t('rail.deleteTask')}
          </Button>
        </Box>
      }
    >
      <Terms rows={rows} />
      <Box sx={{ mt: 1.25, fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
        {note && t(note)}
        {price.entitled_until && ` ${t('rail.entitled', { date: instantParts(price.entitled_until).date })}`}
      </Box>
    </Part>
  );
}

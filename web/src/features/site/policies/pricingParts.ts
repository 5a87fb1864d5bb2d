import type { PolicyPart } from './policyParts.ts';

export const pricingParts: readonly PolicyPart[] = [
  {
    id: 'price',
    title: 'pricing.priceTitle',
    text: 'pricing.priceText',
    points: [
      { textKey: 'pricing.priceNow', fact: 'price' },
      { textKey: 'pricing.priceUnknown', without: 'price' },
      'pricing.priceOnce',
      'pricing.priceSame',
      { textKey: 'pricing.priceTax', fact: 'tax' },
    ],
  },
  {
    id: 'hold',
    title: 'pricing.holdTitle',
    text: 'pricing.holdText',
    points: ['pricing.holdSubmit', 'pricing.holdPause', 'pricing.holdDelete', 'pricing.holdOver', 'pricing.holdUnknown'],
  },
  {
    id: 'charge',
    title: 'pricing.chargeTitle',
    text: 'pricing.chargeText',
    points: ['pricing.chargeRebook', 'pricing.chargeFirst', 'pricing.chargeNotify', 'pricing.chargeHand'],
  },
  {
    id: 'year',
    title: 'pricing.yearTitle',
    text: 'pricing.yearText',
    points: ['pricing.yearAgain', 'pricing.yearPeople'],
  },
  {
    id: 'discounts',
    title: 'pricing.discountsTitle',
    text: 'pricing.discountsText',
    points: [
      'pricing.discountsOrder',
      'pricing.discountsBack',
      { textKey: 'pricing.discountsFriend', fact: 'referral_off' },
      { textKey: 'pricing.discountsBonus', fact: 'referral_bonus' },
    ],
  },
  {
    id: 'topup',
    title: 'pricing.topupTitle',
    text: 'pricing.topupText',
    points: ['pricing.topupCode', { textKey: 'pricing.topupCard', fact: 'cards' }, 'pricing.topupFee', 'pricing.topupReceipt'],
  },
];

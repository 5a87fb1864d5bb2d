import type { PolicyPart } from './policyParts.ts';

export const termsParts: readonly PolicyPart[] = [
  {
    id: 'who',
    title: 'terms.whoTitle',
    text: 'terms.whoText',
    points: [
      { textKey: 'terms.whoOperator', fact: 'operator' },
      { textKey: 'terms.whoUnnamed', without: 'operator' },
      { textKey: 'terms.whoAddress', fact: 'operator_address' },
      { textKey: 'terms.whoContact', fact: 'operator_contact' },
      { textKey: 'terms.whoSupport', without: 'operator_contact' },
    ],
  },
  {
    id: 'do',
    title: 'terms.doTitle',
    text: 'terms.doText',
    points: ['terms.doCheck', 'terms.doBook', 'terms.doNotify', 'terms.doTell'],
  },
  {
    id: 'not',
    title: 'terms.notTitle',
    text: 'terms.notText',
    points: ['terms.notPromise', 'terms.notAdvice', 'terms.notCancel', 'terms.notDisguise'],
  },
  {
    id: 'yours',
    title: 'terms.yoursTitle',
    text: 'terms.yoursText',
    points: ['terms.yoursRight', 'terms.yoursConditions', 'terms.yoursCheck', 'terms.yoursMail', 'terms.yoursFair'],
  },
  {
    id: 'risks',
    title: 'terms.risksTitle',
    text: 'terms.risksText',
    points: ['terms.risksRules', 'terms.risksBlock', 'terms.risksFinal', 'terms.risksLimit', 'terms.risksGone'],
  },
  {
    id: 'money',
    title: 'terms.moneyTitle',
    text: 'terms.moneyText',
    points: ['terms.moneyHand', 'terms.moneyAgreed'],
    money: true,
  },
  {
    id: 'liability',
    title: 'terms.liabilityTitle',
    text: 'terms.liabilityText',
    points: ['terms.liabilityOurs', 'terms.liabilityLimit', 'terms.liabilityNot', 'terms.liabilityLaw'],
  },
  {
    id: 'end',
    title: 'terms.endTitle',
    text: 'terms.endText',
    points: ['terms.endYou', 'terms.endUs', 'terms.endChange'],
  },
];

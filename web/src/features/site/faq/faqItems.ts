import type { TextKey } from '../../../shared/i18n/textKey.ts';

/** Question with a short answer and detailed rules. `key` is its anchor on the page. */
export interface FaqItem {
  key: string;
  question: TextKey;
  answer: TextKey;
  /** Rule that contains the price, if the price is known. */
  price?: TextKey;
  rules: TextKey[];
  /** Rule that contains the open countries with their cities. */
  places?: TextKey;
  /** True if the question is about money. It is omitted if the server charges nothing. */
  money?: boolean;
}

export const faqItems: FaqItem[] = [
  {
    key: 'continuous',
    question: 'faq.continuous',
    answer: 'faq.continuousText',
    rules: ['faq.continuousPace', 'faq.continuousShared', 'faq.continuousClosed', 'faq.continuousStops'],
  },
  {
    key: 'multiCity',
    question: 'faq.multiCity',
    answer: 'faq.multiCityText',
    places: 'faq.multiCityPlaces',
    rules: ['faq.multiCityList', 'faq.multiCityOrder', 'faq.multiCityTimes', 'faq.multiCityReal'],
  },
  {
    key: 'cancelCurrent',
    question: 'faq.cancelCurrent',
    answer: 'faq.cancelCurrentText',
    rules: ['faq.cancelCurrentWhen', 'faq.cancelCurrentLimit', 'faq.cancelCurrentRead', 'faq.cancelCurrentNotify'],
  },
  {
    key: 'postPay',
    money: true,
    question: 'faq.postPay',
    answer: 'faq.postPayText',
    price: 'faq.postPayPrice',
    rules: ['faq.postPayHold', 'faq.postPayCapture', 'faq.postPayBack', 'faq.postPayNotify'],
  },
  {
    key: 'rechargeCode',
    money: true,
    question: 'faq.rechargeCode',
    answer: 'faq.rechargeCodeText',
    rules: ['faq.rechargeCodeForm', 'faq.rechargeCodeWrong', 'faq.rechargeCodeCard', 'faq.rechargeCodeNever'],
  },
  {
    key: 'pauseWhenSatisfied',
    question: 'faq.pauseWhenSatisfied',
    answer: 'faq.pauseWhenSatisfiedText',
    rules: [
      'faq.pauseWhenSatisfiedAuto',
      'faq.pauseWhenSatisfiedKeeps',
      'faq.pauseWhenSatisfiedPrint',
      'faq.pauseWhenSatisfiedPassword',
    ],
  },
];

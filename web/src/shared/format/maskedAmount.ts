/** Placeholder of a hidden amount. */
export const MASKED_AMOUNT = '***';

/** Stands for a hidden amount. */
export const MASKED_AMOUNT = '***';

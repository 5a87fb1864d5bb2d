import { createContext, use } from 'react';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';

/** Data of the live page, besides its texts. */
export interface Live {
  status: SystemStatus | undefined;
  history: StatusHistory | undefined;
  /** Time of the last response in ms, or 0 before the first. */
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => void;
}

/** Live data, or null in a prerendered document. */
export const LiveContext = createContext<Live | null>(null);

export const useLive = () => use(LiveContext);

/** Interval between requests, in seconds. */
export const EVERY_S = 30;

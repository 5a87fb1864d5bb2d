import { createContext, use } from 'react';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';

/** What a page that is alive has beside its texts. */
export interface Live {
  status: SystemStatus | undefined;
  history: StatusHistory | undefined;
  /** When the last answer came, in ms; 0 before the first. */
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => void;
}

/** Null in a document, until it is alive. */
export const LiveContext = createContext<Live | null>(null);

export const useLive = () => use(LiveContext);

/** The page asks again so often, in seconds. */
export const EVERY_S = 30;

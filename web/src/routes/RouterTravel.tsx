import { type ReactNode, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { TravelContext } from '../ui/Link.tsx';

/** Lets shared parts travel by the app's router. */
export function RouterTravel({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const travel = useMemo(() => ({ link: Link, go: (path: string) => void navigate(path) }), [navigate]);
  return <TravelContext value={travel}>{children}</TravelContext>;
}

import { useLocation, useNavigate } from 'react-router';

/** Sheets of the dashboard. Each has an address, so that links and the button *Back* work. */
export const sheets = { balance: '#balance', topUp: '#top-up', status: '#status' } as const;

/** Returns the fragment of the open sheet, and a function that closes it. */
export function useSheet() {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  return { hash, close: () => void navigate({ search }, { replace: true, preventScrollReset: true }) };
}

import { useEffect, useState } from 'react';

/** Reads something once when the page is there; undefined until then, and when it failed. For pages without a query cache. */
export function useFetched<T>(read: () => Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    let gone = false;
    read()
      .then((answer) => {
        if (!gone) setValue(answer);
      })
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [read]);
  return value;
}

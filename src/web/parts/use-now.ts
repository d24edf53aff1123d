import { useState } from 'react';

/** The moment at which the page was opened, in milliseconds: ages do not change while somebody reads. */
export function useNow(): number {
  const [now] = useState(() => Date.now());
  return now;
}

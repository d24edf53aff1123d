import { useState } from 'react';

/** Time of the first render in milliseconds: ages do not change while the page is open. */
export function useNow(): number {
  const [now] = useState(() => Date.now());
  return now;
}

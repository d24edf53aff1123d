import { useState } from 'react';

/** Switch that this browser remembers, such as the wrapping of lines. */
export function useStoredSwitch(name: string, initial: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => read(name) ?? initial);
  const store = (next: boolean) => {
    setValue(next);
    try {
      localStorage.setItem(`code.${name}`, String(next));
    } catch {
      // Without storage the switch lasts as long as the page.
    }
  };
  return [value, store];
}

function read(name: string): boolean | null {
  try {
    const stored = localStorage.getItem(`code.${name}`);
    return stored === null ? null : stored === 'true';
  } catch {
    return null;
  }
}

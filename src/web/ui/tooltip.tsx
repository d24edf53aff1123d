import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

interface TooltipProps {
  /** More about the element; nothing that is needed to use it. */
  text: ReactNode;
  /** The element that the tip belongs to; it must take focus. */
  children: ReactElement;
}

/** A short explanation on hover and focus. Load it lazily; for a mere name `title` is enough. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Base.Provider delay={300}>
      <Base.Root>
        <Base.Trigger render={children} />
        <Base.Portal>
          <Base.Positioner sideOffset={6} className="z-50">
            <Base.Popup className="overlay-fade max-w-72 rounded-md border border-rule bg-surface px-2 py-1 text-sm shadow-overlay">
              {text}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </Base.Provider>
  );
}

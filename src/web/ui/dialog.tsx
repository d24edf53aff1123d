import { Dialog as Base } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from '../i18n.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Text under the title. */
  description?: ReactNode;
  children: ReactNode;
  /** Width: `narrow` for confirmations, `wide` for forms. */
  size?: 'narrow' | 'wide';
}

/**
 * Modal dialog, closed by Esc, the backdrop and the close button. Focus starts in the first field, is trapped, and
 * is restored on close. Load it lazily: it brings the overlay library.
 */
export function Dialog({ open, onClose, title, description, children, size = 'wide' }: DialogProps) {
  const { t } = useTranslation('ui');
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="overlay-fade fixed inset-0 z-40 bg-backdrop" />
        <Base.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>('input, textarea') ?? true}
          className={clsx(
            'overlay-fade fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col overflow-y-auto rounded-lg border border-border bg-surface shadow-overlay',
            size === 'wide' ? 'max-w-[560px]' : 'max-w-[420px]',
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4">
            <Base.Title className="flex-1 text-answer font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label={t('close')}
              className="-mr-2 inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
            >
              <X aria-hidden="true" className="size-4" />
            </Base.Close>
          </header>
          {description && <Base.Description className="px-5 text-muted">{description}</Base.Description>}
          <div className="px-5 pt-4 pb-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Buttons at the foot of a dialog, the primary one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}

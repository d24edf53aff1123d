import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n.ts';
import { Mark } from '../parts/mark.tsx';
import { IconButton } from '../ui/button.tsx';

interface DrawerProps {
  id: string;
  open: boolean;
  onClose: () => void;
  label: string;
  children: ReactNode;
}

/** Modal sidebar of narrow screens; the native dialog traps and restores focus. */
export function Drawer({ id, open, onClose, label, children }: DrawerProps) {
  const { t } = useTranslation('shell');
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a modal dialog; the click is for the backdrop.
    <dialog
      ref={dialog}
      id={id}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="drawer m-0 h-dvh open:flex open:flex-col max-h-none w-60 max-w-[85vw] overflow-y-auto border-r border-border bg-surface text-foreground shadow-overlay backdrop:bg-backdrop"
    >
      {open && (
        <>
          <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border px-4">
            <Mark />
            <span className="flex-1 text-answer font-semibold">Hindsight</span>
            <IconButton
              label={t('close_menu')}
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={onClose}
              className="-mr-2"
            />
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}

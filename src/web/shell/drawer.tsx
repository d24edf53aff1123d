import { type ReactNode, useEffect, useRef } from 'react';

interface DrawerProps {
  id: string;
  open: boolean;
  onClose: () => void;
  label: string;
  children: ReactNode;
}

/** The sidebar over the page on a narrow screen. The browser's own dialog keeps focus inside and gives it back. */
export function Drawer({ id, open, onClose, label, children }: DrawerProps) {
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
      className="drawer m-0 h-dvh max-h-none w-60 max-w-[85vw] overflow-y-auto border-r border-rule bg-surface text-ink shadow-overlay backdrop:bg-shade"
    >
      {open && children}
    </dialog>
  );
}

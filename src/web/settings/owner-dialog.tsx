import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { OwnerForm } from './owner-form.tsx';

interface OwnerDialogProps extends Omit<ComponentProps<typeof OwnerForm>, 'children' | 'onCancel'> {
  title: string;
  text: ReactNode;
  onClose: () => void;
}

/** One question that the owner of the account answers, with the password where the server asks for it. */
export function OwnerDialog({ title, text, onClose, ...form }: OwnerDialogProps) {
  return (
    <Dialog open onClose={onClose} size="narrow" title={title}>
      <OwnerForm {...form} onCancel={onClose}>
        <p>{text}</p>
      </OwnerForm>
    </Dialog>
  );
}

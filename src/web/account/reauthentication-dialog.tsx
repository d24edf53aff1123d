import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { ReauthenticationForm } from './reauthentication-form.tsx';

interface ReauthenticationDialogProps
  extends Omit<ComponentProps<typeof ReauthenticationForm>, 'children' | 'onCancel'> {
  title: string;
  text: ReactNode;
  onClose: () => void;
}

/** Confirmation dialog with reauthentication. */
export function ReauthenticationDialog({ title, text, onClose, ...form }: ReauthenticationDialogProps) {
  return (
    <Dialog open onClose={onClose} size="narrow" title={title}>
      <ReauthenticationForm {...form} onCancel={onClose}>
        <p>{text}</p>
      </ReauthenticationForm>
    </Dialog>
  );
}

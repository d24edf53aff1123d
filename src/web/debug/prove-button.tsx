import { FlaskConical } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { ProveDialog } from '../proof-slots.ts';
import { Button } from '../ui/button.tsx';
import type { Session } from './answer.tsx';

/** Opens the dialog that proves an answer by running a command, or verifies its patch. */
export function ProveButton({ session, verifies = false }: { session: Session; verifies?: boolean }) {
  const { t } = useTranslation('debug');
  const [open, setOpen] = useState(false);
  if (!session.error.is_editable) return null;
  return (
    <>
      <Button
        size={verifies ? 'small' : 'normal'}
        title={t(verifies ? 'fix.verify_hint' : 'actions.prove_hint')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <FlaskConical aria-hidden className={verifies ? 'size-3.5' : 'size-4'} />
        {t(verifies ? 'fix.verify' : 'actions.prove')}
      </Button>
      {open && (
        <Suspense>
          <ProveDialog
            session={session}
            initial={verifies ? { kind: 'verify', patch: 'answer' } : {}}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

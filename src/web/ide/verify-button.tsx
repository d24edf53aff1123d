import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { Suspense, useState } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ProveDialog } from '../proof-slots.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';
import type { EditorTab } from './editor-tab.ts';
import { serializeDocument } from './line-endings.ts';
import { formatUnsavedPatch } from './unsaved-patch.ts';
import type { Workspace } from './use-workspace.ts';

interface VerifyButtonProps {
  workspace: Workspace;
  /** Answer that the editor was opened from. */
  sessionId: string;
  /** Changed files that are chosen. */
  tabs: readonly EditorTab[];
}

/** Tests unsaved changes against the error of an answer, before they are committed. */
export function VerifyButton({ workspace, sessionId, tabs }: VerifyButtonProps) {
  const { t } = useTranslation('ide');
  const toast = useToast();
  const [unsaved, setUnsaved] = useState<string | null>(null);
  const { data: session } = useQuery(apiQuery('GET /debug/sessions/:id', { params: { id: sessionId } }));
  if (!session?.error.is_editable) return null;
  const announceStart = () =>
    toast(t('commit.verifying'), { link: { to: `/debug/${sessionId}`, text: t('commit.show_proof') } });
  const open = () => setUnsaved(formatUnsavedPatch(tabs.map((tab) => readChange(tab, workspace))));
  return (
    <>
      <Button
        className="mr-auto"
        disabled={tabs.length === 0}
        title={t('commit.verify_hint')}
        aria-haspopup="dialog"
        onClick={open}
      >
        <FlaskConical aria-hidden className="size-4" />
        {t('commit.verify')}
      </Button>
      {unsaved !== null && (
        <Suspense>
          <ProveDialog
            session={session}
            initial={{ kind: 'verify', patch: 'unsaved', unsaved }}
            onStarted={announceStart}
            onClose={() => setUnsaved(null)}
          />
        </Suspense>
      )}
    </>
  );
}

function readChange({ path, saved, savedEnds, ends }: EditorTab, workspace: Workspace) {
  const { doc } = workspace.documentOf(path)!;
  return {
    path,
    saved: saved === null ? null : serializeDocument(saved, savedEnds),
    text: serializeDocument(doc, ends),
  };
}

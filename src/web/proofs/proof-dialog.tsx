import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { ProofKind, ProofPlan } from '#contract/proofs.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { useProject } from '../parts/use-project.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { CommandField } from './command-field.tsx';
import { PatchField } from './patch-field.tsx';
import { type ProofDraft, patchOptions, toProofRequest } from './proof-draft.ts';
import { RevisionFields } from './revision-fields.tsx';
import { RunElsewhere } from './run-elsewhere.tsx';
import { RunPlan } from './run-plan.tsx';
import { ScriptField } from './script-field.tsx';
import { useStartProof } from './use-proof.ts';

export type ProvedSession = ApiReply<'GET /debug/sessions/:id'>;

interface ProofDialogProps {
  session: ProvedSession;
  onClose: () => void;
  /** Called once a proof was started, before `onClose`. */
  onStarted?: () => void;
  /** Inputs of an earlier proof. */
  initial?: Partial<ProofDraft>;
}

/** Dialog that proposes a command, says exactly what will run, and starts a proof. */
export function ProofDialog({ session, onClose, onStarted, initial = {} }: ProofDialogProps) {
  const { t } = useTranslation('proofs');
  const query = useQuery({
    ...apiQuery('GET /debug/:id/proofs/plan', { params: { id: session.id } }),
    staleTime: 0,
    // The form keeps what was typed.
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog open onClose={onClose} title={t('title')} description={t('lead')}>
      <QueryState query={query} loading={['40%', '90%', '70%', '80%']}>
        {(plan) => <ProofForm {...{ session, plan, onClose, onStarted, initial }} />}
      </QueryState>
    </Dialog>
  );
}

interface ProofFormProps extends ProofDialogProps {
  plan: ProofPlan;
}

function ProofForm({ session, plan, onClose, onStarted, initial }: ProofFormProps) {
  const { t } = useTranslation('proofs');
  const [draft, setDraft] = useState<ProofDraft>(() => ({
    ...{ kind: 'reproduce', command: plan.commands[0]?.command ?? '', good: '', bad: '', script: null },
    ...{ check: plan.check ?? '', patch: patchOptions(session, plan)[0] ?? null, unsaved: null },
    ...initial,
  }));
  const start = useStartProof(session.id, () => {
    onStarted?.();
    onClose();
  });
  const change = (part: Partial<ProofDraft>) => setDraft((known) => ({ ...known, ...part }));
  const errors = start.error?.fields ?? {};
  const isReady = plan.readiness === 'ready';
  const canStart = draft.command.trim() !== '' && (draft.kind !== 'verify' || draft.patch !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form of a dialog around this one hears it as well.
    event.stopPropagation();
    if (canStart) start.mutate(toProofRequest(draft, session));
  };
  const fields = { draft, plan, session, errors, onChange: change };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {isReady && <KindField kind={draft.kind} onChange={(kind) => change({ kind })} />}
      {!isReady && <NotReady plan={plan} projectId={session.project_id} />}
      <CommandField {...fields} />
      {isReady && <ScriptField {...fields} />}
      {isReady && draft.kind === 'verify' && <PatchField {...fields} />}
      {(!isReady || draft.kind === 'bisect') && <RevisionFields {...fields} />}
      {isReady && <RunPlan draft={draft} plan={plan} />}
      {start.error && Object.keys(errors).length === 0 && <Notice kind="error">{start.error.message}</Notice>}
      {isReady ? (
        <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t border-border bg-surface px-5 py-3">
          <Button onClick={onClose}>{t('cancel_dialog')}</Button>
          <Button type="submit" kind="primary" disabled={!canStart} loading={start.isPending}>
            {t(start.isPending ? 'starting' : 'start')}
          </Button>
        </div>
      ) : (
        <RunElsewhere session={session} draft={draft} onUploaded={onClose} />
      )}
    </form>
  );
}

/** Reason why nothing can run here; the owner of the project is sent to its settings. */
function NotReady({ plan: { message, readiness }, projectId }: { plan: ProofPlan; projectId: string }) {
  const { t } = useTranslation('proofs');
  const isOwner = useProject(projectId).data?.role === 'owner';
  const settings = (
    <ButtonLink size="small" to={`/projects/${projectId}/settings#running`}>
      {t('open_settings')}
    </ButtonLink>
  );
  return (
    <Notice kind="warning" action={isOwner && readiness === 'not_allowed' ? settings : undefined}>
      {message}
    </Notice>
  );
}

function KindField({ kind, onChange }: { kind: ProofKind; onChange: (kind: ProofKind) => void }) {
  const { t } = useTranslation('proofs');
  const options = {
    reproduce: t('kind.reproduce'),
    bisect: t('kind.bisect'),
    verify: t('kind.verify'),
  } satisfies Record<ProofKind, string>;
  return (
    <div className="flex flex-col gap-1">
      <SegmentedControl legend={t('kind.label')} options={options} value={kind} onChange={onChange} />
      <p className="text-sm text-muted">{t(`kind_hint.${kind}`)}</p>
    </div>
  );
}

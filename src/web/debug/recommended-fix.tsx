import { CircleCheck, SquarePen } from 'lucide-react';
import { useState } from 'react';
import type { DebugAnswer } from '#contract/debug.ts';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { parsePatch } from '../parts/patch.ts';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { verdictKind } from '../parts/verdict-claims.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import { ModelAttribution, ModelFailureNotice } from './model-attribution.tsx';
import { ProveButton } from './prove-button.tsx';

/** Verified patch and the model's text; without either, the next step for this kind of error. */
export function RecommendedFix({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { model_run: modelRun, patch } = session.answer;
  const isByModel = modelRun != null && modelRun.failure === null;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-answer font-semibold">{t('fix.title')}</h2>
      {modelRun?.failure && <ModelFailureNotice session={session} failure={modelRun.failure} />}
      {patch && <PatchView session={session} patch={patch} />}
      {modelRun?.patch === 'rejected' && isByModel && (
        <p className="text-muted">{t(patch ? 'fix.also_rejected' : 'fix.rejected')}</p>
      )}
      {!isByModel && !patch && <NextStep session={session} />}
      {isByModel ? <SolutionText session={session} /> : <ReportDisclosure session={session} />}
      {isByModel && <ModelAttribution {...modelRun} />}
    </section>
  );
}

/** Advice for an error of this kind when there is no patch. */
function NextStep({ session: { answer } }: { session: Session }) {
  const { t } = useTranslation('debug');
  const kind =
    (answer.changed_since ?? answer.changed_later)
      ? 'changed'
      : (verdictKind(answer) ?? (answer.abstained ? 'vague' : 'defect'));
  const proven = answer.proven?.commit.hash.slice(0, 7);
  return (
    <p className="max-w-[68ch] text-answer">
      {proven ? <CodeSpans text={t('next.proven', { commit: proven })} /> : t(`next.${kind}`)}
    </p>
  );
}

/** The same findings as one text, closed: the page shows each of them already. */
function ReportDisclosure({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" className="self-start" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'fix.hide_report' : 'fix.report')}
      </Button>
      {open && <SolutionText session={session} />}
    </>
  );
}

function SolutionText({ session: { answer, project_id: projectId } }: { session: Session }) {
  return (
    <MarkdownView text={answer.solution} projectId={projectId} references={evidenceReferences(answer)} />
  );
}

/** Citation of each piece of evidence: its lines, or its commit. */
function evidenceReferences({ evidence, indexed_commit }: DebugAnswer): Map<string, CitedLocation> {
  return new Map(
    evidence.flatMap(({ id, path, lines, commit }): [string, CitedLocation][] => {
      if (path && lines) {
        const [from, to] = lines;
        return [[id, { kind: 'file', path, from, to, commit: commit ?? indexed_commit }]];
      }
      return commit ? [[id, { kind: 'commit', hash: commit }]] : [];
    }),
  );
}

/** The word that a patch earns by a run: it fails without the patch and passes with it. */
function VerifiedMark({ verified }: { verified: NonNullable<Session['verified']> }) {
  const { t } = useTranslation('proofs');
  const { command, check } = verified;
  const how = [t('verified.how', { command }), check && t('verified.check', { command: check })];
  return (
    <a
      href={`#proof-${verified.proof_id}`}
      title={how.filter(Boolean).join(' ').replaceAll('`', '')}
      className="inline-flex items-center gap-1 font-medium text-success hover:underline"
    >
      <CircleCheck aria-hidden className="size-4" />
      {t('verified.label')}
    </a>
  );
}

function PatchView({ session, patch }: { session: Session; patch: string }) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const today = new Date(now).toISOString();
  const { model_run: modelRun } = session.answer;
  const isModelPatch = modelRun?.patch === 'verified' || modelRun?.patch === 'repaired';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 className="inline-flex items-center gap-2 font-semibold">
          {t('fix.patch')}
          {session.verified && <VerifiedMark verified={session.verified} />}
        </h3>
        <span className="flex flex-wrap items-center gap-1">
          <CopyButton text={patch} label={t('fix.copy_patch')} />
          {!session.verified && <ProveButton session={session} verifies />}
          <ButtonLink
            to={`/ide/${session.project_id}`}
            state={{ from: `/debug/${session.id}`, patch }}
            size="small"
          >
            <SquarePen aria-hidden className="size-3.5" />
            {t('fix.apply_in_editor')}
          </ButtonLink>
        </span>
      </div>
      {isModelPatch && <p className="text-muted">{t(`fix.${modelRun.patch}`)}</p>}
      {parsePatch(patch).map((file) => (
        <HunkFrame key={file.path} title={<Verbatim text={file.path} />}>
          {file.hunks.map((hunk) => (
            <div key={hunk.old_start} className="border-border not-first:border-t">
              <DiffView hunk={hunk} path={file.path} timestamp={today} now={now} />
            </div>
          ))}
        </HunkFrame>
      ))}
    </div>
  );
}

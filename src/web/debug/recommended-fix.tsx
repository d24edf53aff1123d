import { SquarePen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DebugAnswer } from '#contract/debug.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { parsePatch } from '../parts/patch.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { ButtonLink } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import { ModelAttribution, ModelFailureNotice } from './model-attribution.tsx';

/** Verified patch and solution text. */
export function RecommendedFix({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { answer, project_id: projectId } = session;
  const { model_run: modelRun } = answer;
  return (
    <section className="mt-2 flex flex-col gap-4 border-t border-border pt-5">
      <h2 className="text-answer font-semibold">{t('fix.title')}</h2>
      {modelRun?.failure && <ModelFailureNotice session={session} failure={modelRun.failure} />}
      {answer.patch && <PatchView session={session} patch={answer.patch} />}
      {modelRun?.patch === 'rejected' && !modelRun.failure && (
        <p className="text-muted">{t(answer.patch ? 'fix.also_rejected' : 'fix.rejected')}</p>
      )}
      <MarkdownView text={answer.solution} projectId={projectId} references={evidenceReferences(answer)} />
      {modelRun && !modelRun.failure && <ModelAttribution {...modelRun} />}
    </section>
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

function PatchView({ session, patch }: { session: Session; patch: string }) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const today = new Date(now).toISOString();
  const { model_run: modelRun } = session.answer;
  const isModelPatch = modelRun?.patch === 'verified' || modelRun?.patch === 'repaired';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 className="font-semibold">{t('fix.patch')}</h3>
        <span className="flex items-center gap-1">
          <CopyButton text={patch} label={t('fix.copy_patch')} />
          <ButtonLink
            to={`/ide/${session.project_id}`}
            state={{ from: `/debug/${session.id}`, patch }}
            size="small"
          >
            <SquarePen aria-hidden className="size-3.5" />
            {t('fix.open_in_editor')}
          </ButtonLink>
        </span>
      </div>
      {isModelPatch && <p className="text-muted">{t(`fix.${modelRun.patch}`)}</p>}
      {parsePatch(patch).map((file) => (
        <HunkFrame key={file.path} title={<Verbatim text={file.path} />}>
          {file.hunks.map((hunk) => (
            <div key={hunk.old_start} className="border-border not-first:border-t">
              <DiffView hunk={hunk} timestamp={today} now={now} />
            </div>
          ))}
        </HunkFrame>
      ))}
    </div>
  );
}

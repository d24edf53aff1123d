import { SquarePen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DebugAnswer } from '#contract/debug.ts';
import type { Citation } from '../parts/citation.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { parsePatch } from '../parts/patch.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { ButtonLink } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import { ModelFailure, WrittenBy } from './written-by.tsx';

/** Recommended Fix: the patch that was checked to apply, then the answer in words. */
export function Fix({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { answer, project_id: projectId } = session;
  const { written_by: written } = answer;
  return (
    <section className="mt-2 flex flex-col gap-4 border-t border-rule pt-5">
      <h2 className="text-answer font-semibold">{t('fix.title')}</h2>
      {written?.failure && <ModelFailure session={session} failure={written.failure} />}
      {answer.patch && <Patch session={session} patch={answer.patch} />}
      {written?.patch === 'refused' && !written.failure && (
        <p className="text-muted">{t(answer.patch ? 'fix.refused_beside' : 'fix.refused')}</p>
      )}
      <MarkdownView text={answer.solution} projectId={projectId} references={referencesOf(answer)} />
      {written && !written.failure && <WrittenBy {...written} />}
    </section>
  );
}

/** Where each piece of evidence can be seen: its lines, or else its commit. */
function referencesOf({ evidence, indexed_commit }: DebugAnswer): Map<string, Citation> {
  return new Map(
    evidence.flatMap(({ id, path, lines, commit }): [string, Citation][] => {
      if (path && lines) {
        const [from, to] = lines;
        return [[id, { kind: 'file', path, from, to, commit: commit ?? indexed_commit }]];
      }
      return commit ? [[id, { kind: 'commit', hash: commit }]] : [];
    }),
  );
}

function Patch({ session, patch }: { session: Session; patch: string }) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const today = new Date(now).toISOString();
  const { written_by: written } = session.answer;
  const isModels = written?.patch === 'checked' || written?.patch === 'repaired';
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
      {isModels && <p className="text-muted">{t(`fix.${written.patch}`)}</p>}
      {parsePatch(patch).map((file) => (
        <HunkFrame key={file.path} title={<Verbatim text={file.path} />}>
          {file.hunks.map((hunk) => (
            <div key={hunk.old_start} className="border-rule not-first:border-t">
              <DiffView hunk={hunk} timestamp={today} now={now} />
            </div>
          ))}
        </HunkFrame>
      ))}
    </div>
  );
}

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

/** Recommended Fix: the patch that was checked to apply, then the answer in words. */
export function Fix({ projectId, answer }: { projectId: string; answer: DebugAnswer }) {
  const { t } = useTranslation('debug');
  return (
    <section className="mt-2 flex flex-col gap-4 border-t border-rule pt-5">
      <h2 className="text-answer font-semibold">{t('fix.title')}</h2>
      {answer.patch && <Patch patch={answer.patch} />}
      <MarkdownView text={answer.solution} projectId={projectId} references={referencesOf(answer)} />
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

function Patch({ patch }: { patch: string }) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const today = new Date(now).toISOString();
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-semibold">{t('fix.patch')}</h3>
        <CopyButton text={patch} label={t('fix.copy_patch')} />
      </div>
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

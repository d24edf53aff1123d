import { Columns2 } from 'lucide-react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { RevisionPicker } from '../parts/revision-picker.tsx';
import type { ChatEntry } from './conversation.ts';

interface AnswerRevisionsProps {
  project: Project;
  entry: ChatEntry;
  /** Asks the question again at a revision; absent where the reader cannot. */
  onAskAt: ((revision: string | null) => void) | undefined;
}

/** Asks the question of an answer at another revision, and compares with the answer before or after it. */
export function AnswerRevisions({ project, entry, onAskAt }: AnswerRevisionsProps) {
  const { t } = useTranslation('chat');
  const other = neighborOf(entry);
  const canAsk = onAskAt && (entry.state === 'stored' || entry.state === 'stopped');
  if (!canAsk && !other) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {canAsk && (
        <span className="flex min-w-0 items-center gap-2">
          <span className="whitespace-nowrap">{t('versions.ask_at')}</span>
          <RevisionPicker
            project={project}
            value={entry.freshness?.revision?.name ?? null}
            onChange={onAskAt}
          />
        </span>
      )}
      {other && (
        <Link
          className="link inline-flex min-h-6 items-center gap-1.5"
          to={`/projects/${project.id}/chat/compare/${other.pair.join('/')}`}
        >
          <Columns2 aria-hidden className="size-3.5" />
          {t('versions.compare', { number: other.number })}
        </Link>
      )}
    </div>
  );
}

/** The version before an answer, or after the first, and both in their order. */
function neighborOf({ id, branches = [] }: ChatEntry): { number: number; pair: [string, string] } | null {
  const at = branches.indexOf(id);
  const other = at > 0 ? at - 1 : at + 1;
  const found = branches[other];
  if (at < 0 || found === undefined) return null;
  return { number: other + 1, pair: other < at ? [found, id] : [id, found] };
}

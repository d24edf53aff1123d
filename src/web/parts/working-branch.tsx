import { useQuery } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import type { WorkingBranch } from '#contract/branches.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from './verbatim.tsx';

const keyOf = (projectId: string) => `include-branch:${projectId}`;

/** The reader's choice to include their working branch in answers about a project; undefined without one. */
export function readBranchChoice(projectId: string): boolean | undefined {
  const stored = localStorage.getItem(keyOf(projectId));
  return stored === null ? undefined : stored === 'true';
}

/** The same choice as field of a query. */
function useBranchFlag(projectId: string): 'true' | 'false' | undefined {
  const choice = useSyncExternalStore(subscribe, () => readBranchChoice(projectId));
  return choice === undefined ? undefined : `${choice}`;
}

/** Stores the choice in this browser; every tab follows. */
function storeBranchChoice(projectId: string, included: boolean): void {
  localStorage.setItem(keyOf(projectId), String(included));
  // Browsers send the event to other tabs only.
  dispatchEvent(new StorageEvent('storage', { key: keyOf(projectId) }));
}

function subscribe(changed: () => void): () => void {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}

interface WorkingBranchNoteProps {
  projectId: string;
  /** True where answers never include the branch, such as in a shared chat. */
  excluded?: boolean;
  /** Choice that the answer itself holds, in place of the stored one. */
  choice?: {
    isIncluded: (name: string) => boolean;
    onChoose: (included: boolean, branch: WorkingBranch, upstream: string) => void;
  };
  className?: string;
}

/** Says that answers include the reader's working branch, or why not, with a switch; nothing without such a branch. */
export function WorkingBranchNote({
  projectId,
  excluded = false,
  choice,
  className = '',
}: WorkingBranchNoteProps) {
  const { t } = useTranslation('branches');
  const flag = useBranchFlag(projectId);
  const working = apiQuery('GET /projects/:id/working-branch', { params: { id: projectId } });
  const { data } = useQuery({ ...working, staleTime: 5_000, enabled: projectId !== '' });
  if (!data?.branch) return null;
  const { name, changes, behind } = data.branch;
  const upstream = data.upstream ?? 'HEAD';
  const stored = flag === undefined ? behind === 0 : flag === 'true';
  const isIncluded = !excluded && (choice?.isIncluded(name) ?? stored);
  const isLate = behind > 0 && !excluded && (choice !== undefined || flag !== 'false');
  const choose = () =>
    choice ? choice.onChoose(!isIncluded, data.branch!, upstream) : storeBranchChoice(projectId, !isIncluded);
  return (
    <p
      role="status"
      className={`flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 text-sm text-muted ${className}`}
    >
      <span className="min-w-0 wrap-anywhere">
        <GitBranch aria-hidden className="mr-1 inline size-3.5 align-[-2px]" />
        {t(isIncluded ? 'working.included' : excluded ? 'working.shared' : 'working.excluded')}{' '}
        <span className="font-mono text-foreground">
          <Verbatim text={name} />
        </span>
        {', '}
        {t('working.changes', { count: changes })}
        {isLate && `; ${t('working.behind', { count: behind, upstream })}`}
      </span>
      {!excluded && (
        <button type="button" className="link" onClick={choose}>
          {t(isIncluded ? 'working.exclude' : 'working.include', { upstream })}
        </button>
      )}
      {isLate && (
        <Link className="link" to={`/projects/${projectId}/branches?update=${encodeURIComponent(name)}`}>
          {t('update.action', { upstream })}
        </Link>
      )}
    </p>
  );
}

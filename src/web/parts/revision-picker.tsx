import { ChevronsUpDown, GitBranch } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { buttonClass } from '../ui/button.tsx';
import { shortenHash } from './repository-text.ts';
import { Verbatim } from './verbatim.tsx';

const RevisionList = lazyComponent(() => import('./revision-list.tsx').then((module) => module.RevisionList));

export interface RevisionPickerProps {
  project: { id: string; branch: string | null; indexed_commit: string | null };
  /** Name of the revision as in the URL; null for the indexed commit. */
  value: string | null;
  /** Receives null for the indexed commit. */
  onChange: (revision: string | null) => void;
}

/** Button with the revision of a page; opens a list of branches, tags and commits, where any name can be typed. */
export function RevisionPicker(props: RevisionPickerProps) {
  const { t } = useTranslation('revision');
  const [isOpened, setOpened] = useState(false);
  const head = headHash(props);
  const name = revisionName(props);
  const label = t('label', { revision: head ? `${name} ${head}` : name });
  const face = <RevisionFace {...props} />;
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="listbox"
      aria-expanded={isOpened}
      onClick={() => setOpened(true)}
      className={REVISION_BUTTON}
    >
      {face}
    </button>
  );
  if (!isOpened) return button;
  return (
    <Suspense fallback={button}>
      <RevisionList {...props} label={label} face={face} className={REVISION_BUTTON} />
    </Suspense>
  );
}

/** Classes of the button, before and after the list is loaded. */
const REVISION_BUTTON = buttonClass('plain', 'max-w-72 min-w-0 shrink px-2 font-normal');

function RevisionFace(props: RevisionPickerProps) {
  const head = headHash(props);
  return (
    <>
      <GitBranch aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 truncate font-mono text-sm">
        <Verbatim text={revisionName(props)} />
      </span>
      {/* Keeps name and hash apart for screen readers. */ ' '}
      {head && <span className="font-mono text-sm text-muted max-sm:hidden">{head}</span>}
      <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
    </>
  );
}

/** Hash beside the name of the indexed branch. */
function headHash({ project, value }: Pick<RevisionPickerProps, 'project' | 'value'>): string | null {
  return value === null && project.branch !== null ? (project.indexed_commit?.slice(0, 7) ?? null) : null;
}

function revisionName({ project, value }: Pick<RevisionPickerProps, 'project' | 'value'>): string {
  return value === null ? (project.branch ?? project.indexed_commit?.slice(0, 7) ?? '') : shortenHash(value);
}

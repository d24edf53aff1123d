import { ChevronsUpDown, GitBranch } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { buttonClass } from '../ui/button.tsx';
import { defaultBranches, type RevisedProject } from './group-revisions.ts';
import { shortenHash } from './repository-text.ts';
import { Verbatim } from './verbatim.tsx';

const RevisionList = lazyComponent(() => import('./revision-list.tsx').then((module) => module.RevisionList));

export interface RevisionPickerProps {
  project: RevisedProject;
  /** Further projects in which the revision is searched. */
  others?: readonly RevisedProject[];
  /** Name of the revision as in the URL; null for the indexed commit. */
  value: string | null;
  /** Receives null for the indexed commit. */
  onChange: (revision: string | null) => void;
  /** Reason that no revision can be picked; shown when the button is pressed. */
  unavailable?: string | undefined;
}

/** Button with the revision of a page; opens a list of branches, tags and commits, where any name can be typed. */
export function RevisionPicker(props: RevisionPickerProps) {
  const { project, others = NO_PROJECTS, value, onChange, unavailable } = props;
  const { t } = useTranslation('revision');
  const [isOpened, setOpened] = useState(false);
  const [isExplained, setExplained] = useState(false);
  const reasonId = useId();
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
      aria-disabled={unavailable !== undefined || undefined}
      aria-describedby={unavailable === undefined ? undefined : reasonId}
      title={unavailable}
      onClick={() => (unavailable === undefined ? setOpened(true) : setExplained(true))}
      className={REVISION_BUTTON}
    >
      {face}
    </button>
  );
  if (unavailable !== undefined) {
    return (
      <>
        {button}
        <span id={reasonId} className={isExplained ? 'basis-full text-sm text-muted' : 'sr-only'}>
          {unavailable}
        </span>
      </>
    );
  }
  if (!isOpened) return button;
  return (
    <Suspense fallback={button}>
      <RevisionList
        {...{ value, onChange, label, face }}
        projects={[project, ...others]}
        className={REVISION_BUTTON}
      />
    </Suspense>
  );
}

const NO_PROJECTS: readonly RevisedProject[] = [];

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

type Shown = Pick<RevisionPickerProps, 'project' | 'others' | 'value'>;

/** Hash beside the name of the indexed branch. */
function headHash({ project, others = NO_PROJECTS, value }: Shown): string | null {
  if (value !== null || project.branch === null || others.length > 0) return null;
  return project.indexed_commit?.slice(0, 7) ?? null;
}

function revisionName({ project, others = NO_PROJECTS, value }: Shown): string {
  return value === null ? defaultBranches([project, ...others]) : shortenHash(value);
}

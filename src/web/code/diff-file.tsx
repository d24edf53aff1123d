import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { FileDiff } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { FileDiffView } from '../parts/file-diff-view.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { diffAnchor, pathOf } from './diff-path.ts';
import { RepositoryImage } from './image-view.tsx';

/** Changed lines from which a file is folded. */
const LARGE_LINES = 500;
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|Cargo\.lock|Gemfile\.lock|poetry\.lock|Pipfile\.lock|uv\.lock|go\.sum)$|[.-]min\.(?:js|css|mjs)$|\.map$|\.pb\.go$|_pb2\.py$/i;
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

interface DiffFileProps {
  projectId: string;
  file: FileDiff;
  timestamp: string;
  before: string | null;
  after: string;
  split: boolean;
  wrap: boolean;
  closed: boolean;
  onClose: (closed: boolean) => void;
  viewed: boolean;
  onView: (viewed: boolean) => void;
}

/** Changes of one file; off-screen files are not laid out, since a commit may touch thousands. */
export function DiffFile(props: DiffFileProps) {
  const { projectId, file, after, closed, onClose, viewed, onView } = props;
  const { t } = useTranslation('code');
  const path = pathOf(file);
  const Chevron = closed ? ChevronRight : ChevronDown;
  return (
    <section
      id={diffAnchor(path)}
      className="scroll-my-24 [contain-intrinsic-size:auto_240px] [content-visibility:auto]"
    >
      <header className="flex flex-wrap items-center gap-x-3 rounded-t-md border border-border bg-surface py-1 pr-3 pl-1 font-mono text-sm">
        <button
          type="button"
          aria-expanded={!closed}
          aria-label={t(closed ? 'diff.open_file' : 'diff.close_file', { path })}
          onClick={() => onClose(!closed)}
          className="inline-flex size-6 items-center justify-center rounded-sm text-muted hover:text-action"
        >
          <Chevron aria-hidden className="size-4" />
        </button>
        <h2 className="min-w-0 font-normal break-all">
          {file.new_path === null ? (
            <Verbatim text={path} />
          ) : (
            <Link to={fileUrl(projectId, path, { commit: after })} className="hover:text-action">
              <Verbatim text={path} />
            </Link>
          )}
        </h2>
        <CopyButton text={path} label={t('file.copy_path')} />
        <span className="ml-auto flex items-center gap-4 font-sans">
          <LineCounts file={file} />
          <label className="flex min-h-6 items-center gap-1.5 text-muted">
            <input
              type="checkbox"
              checked={viewed}
              onChange={(event) => onView(event.currentTarget.checked)}
              className="checkbox size-4"
            />
            {t('diff.viewed')}
          </label>
        </span>
      </header>
      {!closed && <DiffBody {...props} path={path} />}
    </section>
  );
}

function DiffBody({ path, ...props }: DiffFileProps & { path: string }) {
  const { projectId, file, timestamp, before, after, split, wrap } = props;
  const { t } = useTranslation('code');
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const reason = GENERATED.test(path) ? 'generated' : lines > LARGE_LINES ? 'large' : null;
  const [shown, setShown] = useState(false);
  if (file.binary && IMAGE.test(path)) {
    return (
      <div className="grid gap-3 border-x border-b border-border p-3 sm:grid-cols-2">
        {file.old_path !== null && before !== null && (
          <ImageSide label={t('diff.before')} projectId={projectId} path={file.old_path} revision={before} />
        )}
        {file.new_path !== null && (
          <ImageSide label={t('diff.after')} projectId={projectId} path={file.new_path} revision={after} />
        )}
      </div>
    );
  }
  if (reason && !shown) {
    return (
      <p className="flex flex-wrap items-center gap-3 border-x border-b border-border bg-surface px-3.5 py-2 text-muted">
        {t(`diff.folded_${reason}`, { count: lines })}
        <Button size="small" onClick={() => setShown(true)}>
          {t('diff.show')}
        </Button>
      </p>
    );
  }
  return (
    <div className="[&>div]:rounded-t-none [&>div]:border-t-0">
      <FileDiffView {...{ file, timestamp, split, wrap }} after={{ projectId, revision: after }} />
    </div>
  );
}

interface ImageSideProps {
  label: string;
  projectId: string;
  path: string;
  revision: string;
}

function ImageSide({ label, ...image }: ImageSideProps) {
  return (
    <div>
      <p className="mb-1 text-muted">{label}</p>
      <RepositoryImage {...image} />
    </div>
  );
}

function LineCounts({ file }: { file: FileDiff }) {
  const { t } = useTranslation('code');
  if (file.hunks.length === 0) return null;
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter(({ kind }) => kind === 'add').length;
  const deleted = lines.filter(({ kind }) => kind === 'delete').length;
  return (
    <span className="flex gap-2 tabular-nums">
      <span className="text-success">
        +{added}
        <span className="sr-only"> {t('commit.added')}</span>
      </span>
      <span className="text-muted">
        −{deleted}
        <span className="sr-only"> {t('commit.deleted')}</span>
      </span>
    </span>
  );
}

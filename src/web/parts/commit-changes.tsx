import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { firstLine } from '#contract/first-line.ts';
import type { FileDiff } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Avatar } from '../ui/avatar.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { AgeTick, TimeAgo } from './age-mark.tsx';
import { fileUrl } from './citation.ts';
import { CommitRefs, isOtherDay } from './commit-row.tsx';
import { CopyButton } from './copy-button.tsx';
import { DiffView } from './diff-view.tsx';
import { HunkFrame } from './hunk-frame.tsx';
import { LinkedText } from './linked-text.tsx';
import { useNow } from './use-now.ts';
import { Verbatim } from './verbatim.tsx';

type CommitReply = ApiReply<'GET /projects/:id/commits/:sha'>;

interface CommitHeaderProps {
  commit: CommitReply;
  heading: 'h1' | 'h2';
  /** Repository on whose host the numbers of issues lead; without it they are text. */
  gitUrl?: string;
}

/** Title, author, date, hash and body of a commit. */
export function CommitHeader({ commit, heading: Heading, gitUrl = '' }: CommitHeaderProps) {
  const { t, i18n } = useTranslation('parts');
  const now = useNow();
  const rest = commit.body.replace(/^.*\n?/, '').trim();
  return (
    <div>
      <Heading className="max-w-[62ch] text-title font-semibold wrap-anywhere">
        <LinkedText text={firstLine(commit.message) || t('no_message')} gitUrl={gitUrl} />
      </Heading>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <AgeTick timestamp={commit.timestamp} now={now} />
        <span className="flex min-w-0 items-center gap-1.5 text-foreground">
          <Avatar name={commit.author} size="small" />
          <Verbatim text={commit.author} />
        </span>
        <span>
          {formatShortDateTime(commit.timestamp, i18n.language) ?? t('invalid_time')}
          {commit.timestamp && (
            <>
              {' '}
              (<TimeAgo timestamp={commit.timestamp} now={now} />)
            </>
          )}
        </span>
        <span className="inline-flex items-center gap-1 font-mono text-sm">
          {commit.hash.slice(0, 7)}
          <CopyButton text={commit.hash} />
        </span>
        <CommitRefs refs={commit.refs ?? []} />
      </p>
      <CommittedLater commit={commit} />
      {rest && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long message scrolls by keyboard.
          tabIndex={0}
          className="mt-3 max-h-80 max-w-[80ch] overflow-y-auto border-l-2 border-border pl-3 wrap-anywhere whitespace-pre-wrap"
        >
          <LinkedText text={rest} max={20_000} gitUrl={gitUrl} />
        </pre>
      )}
    </div>
  );
}

/** Explains a commit date on another day than the author's, as after a rebase or when someone else applied it. */
function CommittedLater({ commit }: { commit: CommitReply }) {
  const { t, i18n } = useTranslation('parts');
  const { timestamp, committed_at: committed, committer } = commit;
  if (!committed || !isOtherDay(committed, timestamp)) return null;
  const date = formatShortDateTime(committed, i18n.language) ?? t('invalid_time');
  return <p className="mt-1 text-sm text-muted">{t('commits.committed', { date, name: committer })}</p>;
}

/** Diff of a commit by file. */
export function CommitChanges({ projectId, commit }: { projectId: string; commit: CommitReply }) {
  const { t } = useTranslation('parts');
  const now = useNow();
  if (commit.files.length === 0) return <p className="text-muted">{t('change.none')}</p>;
  return (
    <div className="flex flex-col gap-4">
      {commit.files.map((file) => (
        // Off-screen files are not laid out: a commit may touch thousands.
        <section
          key={`${file.old_path}\0${file.new_path}`}
          className="[contain-intrinsic-size:auto_200px] [content-visibility:auto]"
        >
          <HunkFrame
            title={<FilePathLabel projectId={projectId} commit={commit.hash} file={file} />}
            aside={<LineCounts file={file} />}
          >
            {file.hunks.map((hunk, index) => (
              <div
                key={`${hunk.old_start}:${hunk.new_start}`}
                className={index > 0 ? 'border-t border-border' : undefined}
              >
                <DiffView
                  hunk={hunk}
                  path={file.new_path ?? file.old_path}
                  timestamp={commit.timestamp}
                  now={now}
                />
              </div>
            ))}
            {file.binary && <p className="px-3.5 py-2 text-muted">{t('change.binary')}</p>}
            {file.truncated && (
              <p className="border-t border-border px-3.5 py-2 text-muted">{t('change.truncated')}</p>
            )}
          </HunkFrame>
        </section>
      ))}
    </div>
  );
}

function FilePathLabel({ projectId, commit, file }: { projectId: string; commit: string; file: FileDiff }) {
  const { t } = useTranslation('parts');
  const { old_path: before, new_path: after } = file;
  const path = after ?? before ?? '';
  return (
    <>
      {after === null ? (
        <Verbatim text={path} />
      ) : (
        <Link to={fileUrl(projectId, path, { commit })} className="text-foreground hover:text-action">
          <Verbatim text={path} />
        </Link>
      )}
      <span className="pl-2 font-sans">
        {before === null && t('change.added')}
        {after === null && t('change.deleted')}
        {before !== null && after !== null && before !== after && t('change.renamed', { path: before })}
      </span>
    </>
  );
}

function LineCounts({ file }: { file: FileDiff }) {
  const { t } = useTranslation('parts');
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.kind === 'add').length;
  const removed = lines.filter((line) => line.kind === 'delete').length;
  return (
    <span className="flex gap-2">
      <span className="text-success">
        <span className="sr-only">{t('added')} </span>
        <span aria-hidden>+</span>
        {added}
      </span>
      <span>
        <span className="sr-only">{t('removed')} </span>
        <span aria-hidden>−</span>
        {removed}
      </span>
    </span>
  );
}

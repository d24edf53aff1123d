import { type ReactNode, useState } from 'react';
import type { PushedCommit } from '#contract/branch-fields.ts';
import type { PushPreview } from '#contract/branches.ts';
import { useTranslation } from '../i18n.ts';
import { ChangeFindings } from '../parts/change-findings.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

interface PushReviewProps {
  projectId: string;
  branch: string;
  preview: PushPreview;
  /** Commits that are sent alone; null for the whole branch. */
  chosen: string[] | null;
  onChoose: (commits: string[] | null) => void;
}

/** Preview of a push: commits, files, target and account. */
export function PushReview({ projectId, branch, preview, chosen, onChoose }: PushReviewProps) {
  const { t } = useTranslation('branches');
  const { credential, commits, files, file_count: fileCount, choosable, blocked } = preview;
  return (
    <div className="mt-4 flex flex-col gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact label={t('review.where')}>
          <span className="font-mono text-sm wrap-anywhere">{preview.url}</span>
        </Fact>
        <Fact label={t('review.branch')}>
          <span className="font-mono text-sm wrap-anywhere">{preview.target}</span>{' '}
          <span className="text-muted">
            {t(preview.remote_head === null ? 'review.new' : 'review.exists')}
          </span>
        </Fact>
        <Fact label={t('review.as')}>
          {t(`review.credential.${credential.kind}`, { name: credential.name ?? '' })}
        </Fact>
      </dl>
      {blocked && (
        <Notice kind="warning">
          <SentenceText sentence={blocked} />
        </Notice>
      )}
      <section>
        <h3 className="mb-1 font-semibold">{t('review.commits', { count: commits.length })}</h3>
        <ul className="max-h-44 overflow-y-auto border-y border-border">
          {commits.map((commit) => (
            <CommitLine key={commit.hash} commit={commit} />
          ))}
        </ul>
        {choosable.length > 1 && (
          <ChooseCommits
            key={chosen?.join() ?? 'all'}
            choosable={choosable}
            chosen={chosen}
            onChoose={onChoose}
          />
        )}
      </section>
      <section>
        <h3 className="mb-1 font-semibold">{t('review.files', { count: fileCount })}</h3>
        <ul className="max-h-44 overflow-y-auto border-y border-border font-mono text-sm">
          {files.map(({ path, additions, deletions }) => (
            <li key={path} className="flex gap-3 py-0.5">
              <span className="min-w-0 flex-1 truncate">
                <Verbatim text={path} />
              </span>
              <span className="text-muted tabular-nums">
                {additions === null ? t('review.binary') : `+${additions} −${deletions}`}
              </span>
            </li>
          ))}
        </ul>
        {fileCount > files.length && (
          <p className="mt-1 text-sm text-muted">
            {t('review.more_files', { count: fileCount - files.length })}
          </p>
        )}
      </section>
      <ChangeFindings projectId={projectId} version={branch} />
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function CommitLine({ commit }: { commit: PushedCommit }) {
  return (
    <li className="flex gap-3 py-0.5">
      <span className="min-w-0 flex-1 truncate">
        <Verbatim text={commit.message} />
      </span>
      <span className="text-muted">
        <Verbatim text={commit.author} />
      </span>
      <span className="font-mono text-sm text-muted">{commit.hash.slice(0, 7)}</span>
    </li>
  );
}

interface ChooseCommitsProps {
  choosable: PushedCommit[];
  chosen: string[] | null;
  onChoose: (commits: string[] | null) => void;
}

/** Lets the reader send some commits of the branch only. */
function ChooseCommits({ choosable, chosen, onChoose }: ChooseCommitsProps) {
  const { t } = useTranslation('branches');
  const [open, setOpen] = useState(chosen !== null);
  const [picked, setPicked] = useState(new Set(chosen ?? choosable.map(({ hash }) => hash)));
  if (!open) {
    return (
      <Button kind="ghost" size="small" className="mt-1 -ml-2" onClick={() => setOpen(true)}>
        {t('review.choose')}
      </Button>
    );
  }
  const toggle = (hash: string) => {
    const next = new Set(picked);
    if (!next.delete(hash)) next.add(hash);
    setPicked(next);
  };
  return (
    <fieldset className="mt-3 flex flex-col gap-1">
      <legend className="mb-1 text-sm text-muted">{t('review.choose_text')}</legend>
      {choosable.map(({ hash, message }) => (
        <Checkbox
          key={hash}
          checked={picked.has(hash)}
          onChange={() => toggle(hash)}
          label={
            <>
              <Verbatim text={message} />{' '}
              <span className="font-mono text-sm text-muted">{hash.slice(0, 7)}</span>
            </>
          }
        />
      ))}
      <div className="mt-1 flex gap-2">
        <Button size="small" disabled={picked.size === 0} onClick={() => onChoose([...picked])}>
          {t('review.apply_choice')}
        </Button>
        {chosen && (
          <Button size="small" kind="ghost" onClick={() => onChoose(null)}>
            {t('review.whole_branch')}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

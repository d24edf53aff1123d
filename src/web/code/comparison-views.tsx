import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { CommitRow } from '../parts/commit-row.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Textarea } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { draftReleaseNotes, RELEASE_GROUPS } from './release-notes.ts';

interface ComparisonProps {
  project: Project;
  found: ApiReply<'GET /projects/:id/compare'>;
}

/** Commits of the head that the base lacks, newest first. */
export function ComparedCommits({ project, found }: ComparisonProps) {
  const { t } = useTranslation('code');
  const now = useNow();
  if (found.commits.length === 0) return <p className="text-muted">{t('compare.no_commits')}</p>;
  return (
    <>
      <ol className="border-t border-border">
        {found.commits.map(({ hash, subject, author, timestamp }) => (
          <CommitRow
            key={hash}
            projectId={project.id}
            now={now}
            commit={{ id: hash, hash, message: subject, author, timestamp, files_changed: [] }}
          />
        ))}
      </ol>
      {found.commits.length < found.total_commits && (
        <p className="mt-3 text-muted">
          {t('compare.more_commits', { count: found.total_commits - found.commits.length })}
        </p>
      )}
    </>
  );
}

/** Functions and types that only one side defines. */
export function ComparedSymbols({ project, found }: ComparisonProps) {
  const { t } = useTranslation('code');
  const query = useQuery({
    ...apiQuery('GET /projects/:id/compare/symbols', {
      params: { id: project.id },
      query: { base: found.ancestor ?? found.base, head: found.head },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryState query={query} showStaleError loading={['40%', '52%', '46%']}>
      {({ added, removed, files, total_files }) => (
        <>
          <p className="mb-3 text-sm text-muted">
            {t('compare.symbol_scope', { count: total_files, read: files })}
          </p>
          <div className="grid gap-6 lg:grid-cols-2">
            <SymbolList {...{ project, symbols: added }} title="added" revision={found.head} />
            <SymbolList
              {...{ project, symbols: removed }}
              title="removed"
              revision={found.ancestor ?? found.base}
            />
          </div>
        </>
      )}
    </QueryState>
  );
}

interface SymbolListProps {
  project: Project;
  title: 'added' | 'removed';
  symbols: ApiReply<'GET /projects/:id/compare/symbols'>['added'];
  revision: string;
}

function SymbolList({ project, title, symbols, revision }: SymbolListProps) {
  const { t } = useTranslation('code');
  return (
    <section>
      <h2 className="mb-1 border-b border-border pb-1">
        {t(`compare.symbols_${title}`, { count: symbols.length })}
      </h2>
      {symbols.length === 0 && <p className="text-muted">{t('compare.no_symbols')}</p>}
      <ul>
        {symbols.map(({ path, name, line }) => (
          <li key={`${path}:${line}:${name}`}>
            <Link
              to={fileUrl(project.id, path, { commit: revision, from: line })}
              className="flex min-h-6 flex-wrap gap-x-3 rounded-sm px-1 hover:bg-select"
            >
              <code className="wrap-anywhere">
                <Verbatim text={name} />
              </code>
              <span className="text-sm leading-5 wrap-anywhere text-muted">
                <Verbatim text={path} />:{line}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReleaseNotesProps extends ComparisonProps {
  base: string;
  head: string;
}

/** Draft of release notes in Markdown, grouped by the kind of each change; editable and copied from here. */
export function ReleaseNotes({ found, base, head }: ReleaseNotesProps) {
  const { t } = useTranslation('code');
  const titles = Object.fromEntries(RELEASE_GROUPS.map((group) => [group, t(`notes.${group}`)]));
  const draft = draftReleaseNotes(found.commits, { title: `${head} (${base}...${head})`, titles });
  const [text, setText] = useState(draft);
  return (
    <div className="flex max-w-[1120px] flex-col gap-3">
      <label htmlFor="release-notes" className="font-semibold">
        {t('notes.label')}
      </label>
      <Textarea
        id="release-notes"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={24}
        spellCheck={false}
        className="font-mono text-code"
      />
      <div className="flex flex-wrap gap-2">
        <CopyButton kind="plain" text={text} label={t('notes.copy')} />
        {text !== draft && (
          <Button kind="ghost" onClick={() => setText(draft)}>
            {t('notes.reset')}
          </Button>
        )}
      </div>
      {found.commits.length < found.total_commits && (
        <p className="text-muted">{t('notes.partial', { count: found.commits.length })}</p>
      )}
    </div>
  );
}

import { clsx } from 'clsx';
import { Link } from 'react-router';
import type { ScopedProject, SearchResult } from '#contract/search-results.ts';
import { useTranslation } from '../i18n.ts';
import { AgeTick } from '../parts/age-mark.tsx';
import { fileUrl } from '../parts/citation.ts';
import { DiffView } from '../parts/diff-view.tsx';
import { EditorLink } from '../parts/editor-link.tsx';
import { IssueMark } from '../parts/issue-mark.tsx';
import { stripMarkdown } from '../parts/markdown-plain.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { StateMark } from '../ui/state-mark.tsx';
import { CodeFragment } from './code-fragment.tsx';
import { MarkedText } from './marked-text.tsx';
import { resultKey, resultUrl } from './result-url.ts';

interface ResultListProps {
  results: SearchResult[];
  projects: ScopedProject[];
  /** Index of the selected result; null for none. */
  selected: number | null;
  onSelect: (index: number) => void;
}

/** Results of a page. Each has one link; its focus or a click beside it selects the result for the preview. */
export function ResultList({ results, projects, selected, onSelect }: ResultListProps) {
  const { t } = useTranslation('search');
  return (
    <ol aria-label={t('results')} className="flex flex-col gap-2">
      {results.map((result, index) => (
        // Clicks are a shortcut for pointers; the keyboard selects by focus.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <li
          key={resultKey(result)}
          data-result={index}
          onClick={({ target }) => (target as Element).closest('a, button') === null && onSelect(index)}
          onFocus={() => index !== selected && onSelect(index)}
          className={clsx(
            'scroll-my-16 overflow-hidden rounded-md border bg-surface',
            index === selected ? 'border-action' : 'border-border',
          )}
        >
          <ResultHeader result={result} projects={projects} isSelected={index === selected} />
          <ResultBody result={result} projects={projects} />
        </li>
      ))}
    </ol>
  );
}

interface ResultProps {
  result: SearchResult;
  projects: ScopedProject[];
}

function ResultHeader({ result, projects, isSelected }: ResultProps & { isSelected: boolean }) {
  const project = projects.find(({ id }) => id === result.project_id);
  return (
    <h2
      className={clsx(
        'flex min-h-8 flex-wrap gap-x-3 px-3 py-1.5 text-base font-normal',
        result.kind === 'error' ? 'items-start' : 'items-center',
      )}
    >
      <Link
        to={resultUrl(result, projects)}
        data-result-link
        aria-current={isSelected ? 'true' : undefined}
        className="min-w-0 flex-1 basis-60 wrap-anywhere text-foreground hover:text-action"
      >
        <ResultTitle result={result} />
      </Link>
      <ResultAside result={result} />
      <ResultEditorLink result={result} commit={project?.commit} />
      {projects.length > 1 && project && (
        <span className="max-w-48 truncate text-sm text-muted">
          <Verbatim text={project.name} />
        </span>
      )}
    </h2>
  );
}

/** Opens a hit in the editor at its line. */
function ResultEditorLink({ result, commit }: { result: SearchResult; commit: string | null | undefined }) {
  if (result.kind !== 'code' && result.kind !== 'file' && result.kind !== 'symbol') return null;
  const from =
    result.kind === 'file' ? undefined : result.kind === 'code' ? firstMarkedLine(result) : result.line;
  const to = result.kind === 'symbol' ? result.to_line : from;
  return <EditorLink projectId={result.project_id} path={result.path} from={from} to={to} commit={commit} />;
}

/** The first line with a match; the beginning of the passage where only its words as a whole matched. */
function firstMarkedLine({ fragments, line }: Extract<SearchResult, { kind: 'code' }>): number {
  for (const { start, lines } of fragments) {
    const index = lines.findIndex(({ marks }) => marks.length > 0);
    if (index >= 0) return start + index;
  }
  return line;
}

function ResultTitle({ result }: { result: SearchResult }) {
  const { t } = useTranslation(['search', 'parts']);
  switch (result.kind) {
    case 'code':
      return (
        <span className="font-mono text-sm">
          <Verbatim text={result.path} />
          {result.symbol && (
            <span className="pl-2 text-muted">
              <Verbatim text={result.symbol} />
            </span>
          )}
        </span>
      );
    case 'symbol':
      return (
        <span className="font-mono text-sm">
          <MarkedText text={result.name} marks={result.marks} />
          <span className="pl-2 text-muted">
            <Verbatim text={`${result.path}:${result.line}`} />
          </span>
        </span>
      );
    case 'file':
      return (
        <span className="font-mono text-sm">
          <MarkedText text={result.path} marks={result.marks} />
        </span>
      );
    case 'commit':
      return (
        <span className="font-medium">
          {result.subject === '' ? (
            t('parts:no_message')
          ) : (
            <MarkedText text={result.subject} marks={result.marks} />
          )}
        </span>
      );
    case 'change':
      return (
        <span className="font-medium">
          <Verbatim text={result.message || t('parts:no_message')} />
        </span>
      );
    case 'issue':
      return (
        <span className="font-medium">
          <span className="text-muted">#{result.number}</span> <Verbatim text={result.title} max={300} />
        </span>
      );
    default:
      return (
        <span
          className={result.kind === 'error' ? 'line-clamp-2 font-mono text-sm leading-5' : 'font-medium'}
        >
          <Verbatim text={result.title} max={300} />
        </span>
      );
  }
}

function ResultAside({ result }: { result: SearchResult }) {
  const { t } = useTranslation('search');
  switch (result.kind) {
    case 'code':
      return <span className="text-sm text-muted">{t('matches', { count: result.matches })}</span>;
    case 'file':
      return <span className="text-sm text-muted tabular-nums">{t('lines', { count: result.lines })}</span>;
    case 'symbol':
      return null;
    case 'issue':
      return (
        <>
          <IssueMark state={result.state} isNamed />
          <When timestamp={result.timestamp} />
        </>
      );
    case 'error':
      return (
        <>
          <StateMark state={result.state} />
          <When timestamp={result.timestamp} />
        </>
      );
    default:
      return <When timestamp={result.timestamp} />;
  }
}

function When({ timestamp }: { timestamp: string }) {
  const { t, i18n } = useTranslation('parts');
  const now = useNow();
  return (
    <span className="flex items-center gap-2 text-sm text-muted">
      <AgeTick timestamp={timestamp} now={now} />
      <time dateTime={timestamp || undefined}>
        {formatShortDateTime(timestamp, i18n.language) ?? t('invalid_time')}
      </time>
    </span>
  );
}

function ResultBody({ result, projects }: ResultProps) {
  switch (result.kind) {
    case 'code': {
      const commit = projects.find(({ id }) => id === result.project_id)?.commit ?? null;
      return result.fragments.map((fragment) => (
        <div key={fragment.start} className="border-t border-border">
          <CodeFragment
            fragment={fragment}
            path={result.path}
            lineUrl={(line) => fileUrl(result.project_id, result.path, { commit, from: line })}
          />
        </div>
      ));
    }
    case 'commit':
      return <Details>{[result.author, result.hash.slice(0, 7)]}</Details>;
    case 'change':
      return <ChangeBody result={result} />;
    case 'error':
      return <Details>{result.cause ? [result.author, result.cause] : [result.author]}</Details>;
    case 'issue': {
      const excerpt = stripMarkdown(result.excerpt ?? '').join(' ');
      return <Details>{[result.author, excerpt].filter((text) => text !== '')}</Details>;
    }
    case 'chat':
      return (
        <Details>
          {[result.author, ...(result.excerpt ? [stripMarkdown(result.excerpt).join(' ')] : [])]}
        </Details>
      );
    default:
      return null;
  }
}

function Details({ children }: { children: string[] }) {
  return (
    <p className="-mt-1 flex min-w-0 flex-wrap gap-x-3 px-3 pb-1.5 text-sm text-muted">
      {children.map((text) => (
        <span key={text} className="max-w-full wrap-anywhere">
          <Verbatim text={text} max={400} />
        </span>
      ))}
    </p>
  );
}

function ChangeBody({ result }: { result: Extract<SearchResult, { kind: 'change' }> }) {
  const { t } = useTranslation('search');
  const now = useNow();
  const { old_path: before, new_path: after, hunk } = result;
  const path = after ?? before ?? '';
  return (
    <>
      <Details>
        {[result.author, before && after && before !== after ? `${before} → ${after}` : path]}
      </Details>
      <div className="border-t border-border py-1">
        {hunk ? (
          <DiffView hunk={hunk} path={path} timestamp={result.timestamp} now={now} />
        ) : (
          <p className="px-3 py-1 text-muted">{t('no_lines')}</p>
        )}
      </div>
    </>
  );
}

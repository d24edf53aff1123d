import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { buttonClass } from '../ui/button.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';
import type { CitedLocation } from './citation.ts';
import { commitUrl } from './citation.ts';
import { IssueMark } from './issue-mark.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { Verbatim } from './verbatim.tsx';

interface IssueViewProps {
  projectId: string;
  number: number;
  isRequest: boolean;
  /** Level of the title. */
  heading?: 'h1' | 'h2';
}

/** An imported issue or pull request with its text and commits. */
export function IssueView({ projectId, number, isRequest, heading = 'h2' }: IssueViewProps) {
  const query = useQuery({
    ...apiQuery('GET /projects/:id/issues/:number', {
      params: { id: projectId, number: String(number) },
      query: isRequest ? { kind: 'pull_request' } : {},
    }),
    staleTime: 60_000,
  });
  return (
    <QueryState
      query={query}
      showStaleError
      errorClassName="m-4"
      loading={['52%', '34%', '64%', '58%', '40%']}
    >
      {(issue) => <IssueText projectId={projectId} issue={issue} heading={heading} />}
    </QueryState>
  );
}

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

interface IssueTextProps {
  projectId: string;
  issue: ApiReply<'GET /projects/:id/issues/:number'>;
  heading: 'h1' | 'h2';
}

function IssueText({ projectId, issue, heading: Heading }: IssueTextProps) {
  const { t, i18n } = useTranslation('parts');
  const SubHeading = Heading === 'h1' ? 'h2' : 'h3';
  const { kind, number, title, state, author, labels, url, body, comments, commits } = issue;
  const date = issue.updated_at && formatShortDateTime(issue.updated_at, i18n.language);
  return (
    <div className="flex flex-col gap-4 p-4">
      <div>
        <Heading className="max-w-[62ch] text-title font-semibold wrap-anywhere">
          <Verbatim text={title} /> <span className="font-normal text-muted">#{number}</span>
        </Heading>
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
          <IssueMark state={state} isNamed />
          <span>{t(`issue.kind.${kind}`)}</span>
          {author && <Verbatim text={author} />}
          {date && <span>{t('issue.updated', { date })}</span>}
          {labels.map((label) => (
            <span key={label} className="max-w-48 truncate rounded-sm border border-border px-1 text-sm">
              <Verbatim text={label} />
            </span>
          ))}
          {url && (
            <a
              href={url}
              target="_blank"
              rel="noreferrer noopener"
              className={buttonClass('plain', '', 'small')}
            >
              <ExternalLink aria-hidden className="size-3.5" />
              {t('issue.open_on', { host: URL.parse(url)?.host })}
            </a>
          )}
        </p>
      </div>
      {body === '' ? (
        <p className="text-muted">{t('issue.no_text')}</p>
      ) : (
        <MarkdownView text={body} projectId={projectId} references={NO_REFERENCES} />
      )}
      {comments.length > 0 && (
        <section className="flex flex-col gap-4">
          <SubHeading className="font-semibold">{t('issue.comments')}</SubHeading>
          {comments.map((comment) => (
            <IssueComment key={comment.id} projectId={projectId} comment={comment} />
          ))}
        </section>
      )}
      {commits.length > 0 && (
        <section>
          <SubHeading className="mb-1 font-semibold">{t('issue.commits')}</SubHeading>
          <ul className="flex flex-col gap-1">
            {commits.map(({ hash, subject, source }) => (
              <li key={hash} className="flex min-w-0 items-baseline gap-2">
                <span className="shrink-0 font-mono text-sm text-muted">{hash.slice(0, 7)}</span>
                <Link to={commitUrl(projectId, hash)} className="link min-w-0 wrap-anywhere">
                  <Verbatim text={subject || t('no_message')} />
                </Link>
                <span className="shrink-0 text-sm text-muted">{t(`issue.source.${source}`)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface IssueCommentProps {
  projectId: string;
  comment: IssueTextProps['issue']['comments'][number];
}

function IssueComment({ projectId, comment: { author, body, created_at } }: IssueCommentProps) {
  const { t, i18n } = useTranslation('parts');
  return (
    <article className="flex flex-col gap-1 border-l-2 border-border pl-3">
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <span className="font-semibold wrap-anywhere">
          {author === null ? t('issue.no_author') : <Verbatim text={author} />}
        </span>
        {created_at && <span>{formatShortDateTime(created_at, i18n.language)}</span>}
      </p>
      <MarkdownView text={body} projectId={projectId} references={NO_REFERENCES} />
    </article>
  );
}

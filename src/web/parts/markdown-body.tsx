import { QueryClientContext } from '@tanstack/react-query';
import clsx from 'clsx';
import type { Element, ElementContent } from 'hast';
import { createContext, type ReactNode, Suspense, use } from 'react';
import Markdown, { type Components, defaultUrlTransform } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { projectKeys } from '../query-keys.ts';
import { type CitedLocation, parseCitedLocation } from './citation.ts';
import { CitationChip } from './citation-chip.tsx';
import type { CodeToken } from './code-parser.ts';
import { CodeText } from './code-text.tsx';
import { CopyButton } from './copy-button.tsx';
import { useHighlightedText } from './highlight.ts';
import { linkTarget } from './link-target.ts';
import { linkIssueNumbers } from './markdown-issues.ts';
import { capMarkdown } from './markdown-limits.ts';
import { dropUndefinedReferences } from './markdown-quote.ts';
import { linkReferences } from './markdown-references.ts';
import { Verbatim } from './verbatim.tsx';

export interface MarkdownBodyProps {
  text: string;
  projectId: string;
  /** Citations of `[e1]`, `[e2]`, … in the text. */
  references: ReadonlyMap<string, CitedLocation>;
}

const AnswerContext = createContext<Omit<MarkdownBodyProps, 'text'>>({
  projectId: '',
  references: new Map(),
});
/** Prefix of a struck-out citation whose quote was not found. */
const MISQUOTE_PREFIX = '≠ ';

/**
 * Renders Markdown. URLs are relative or have the scheme http, https, irc, ircs, mailto or xmpp; HTML is dropped;
 * images become links, so that nothing remote is loaded.
 */
export function MarkdownBody({ text, projectId, references }: MarkdownBodyProps) {
  // From the cache alone, since recorded pages have no server.
  const gitUrl = use(QueryClientContext)?.getQueryData(projectKeys.detail(projectId))?.git_url ?? '';
  return (
    <div className="flex max-w-[68ch] flex-col gap-3 text-answer break-words">
      <AnswerContext value={{ projectId, references }}>
        <Markdown
          remarkPlugins={[remarkGfm, linkReferences, [linkIssueNumbers, { gitUrl }]]}
          components={COMPONENTS}
          urlTransform={sanitizeUrl}
          skipHtml
        >
          {capMarkdown(text)}
        </Markdown>
      </AnswerContext>
    </div>
  );
}

/** The library's filter matches the specification's schemes; `//host` would pass as relative. */
function sanitizeUrl(url: string): string {
  return /^[/\\]{2}/.test(url.trim()) ? '' : defaultUrlTransform(url);
}

const COMPONENTS: Components = {
  a: ({ node, href, children }) => (
    <ExternalLink url={href} text={node ? textContent(node) : ''}>
      {children}
    </ExternalLink>
  ),
  img: ({ src, alt }) => (
    <ExternalLink url={typeof src === 'string' ? src : undefined} text={alt || src || ''}>
      {alt || src}
    </ExternalLink>
  ),
  code: ({ node, children }) => <InlineCode node={node}>{children}</InlineCode>,
  del: ({ node, children }) => (
    <StruckCitation text={node ? textContent(node) : ''}>{children}</StruckCitation>
  ),
  pre: ({ node }) => <CodeBlock node={node} />,
  // Headings of an answer start below the page's h1 and the section's h2.
  h1: ({ children }) => <Heading>{children}</Heading>,
  h2: ({ children }) => <Heading>{children}</Heading>,
  h3: ({ children }) => <Heading>{children}</Heading>,
  h4: ({ children }) => <Heading>{children}</Heading>,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-muted">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="flex list-decimal flex-col gap-1 pl-6 marker:text-muted">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="flex flex-col gap-2 border-l-2 border-border pl-3 text-muted">
      {children}
    </blockquote>
  ),
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table className="text-base [&_td]:border-b [&_td]:border-border [&_td]:px-2 [&_td]:py-1 [&_th]:border-b [&_th]:border-border [&_th]:px-2 [&_th]:text-left">
        {children}
      </table>
    </div>
  ),
  hr: () => <hr className="border-border" />,
};

function Heading({ children }: { children: ReactNode }) {
  return <h3 className="mt-1 text-answer font-semibold">{children}</h3>;
}

/** Link followed by its target unless the text shows it. */
function ExternalLink({
  url,
  text,
  children,
}: {
  url: string | undefined;
  text: string;
  children: ReactNode;
}) {
  const { projectId, references } = use(AnswerContext);
  const evidence = url?.startsWith('#e') && references.get(url.slice(1));
  if (evidence) {
    return (
      <CitationChip projectId={projectId} citation={evidence}>
        {children}
      </CitationChip>
    );
  }
  if (!url) return <span>{children}</span>;
  const target = linkTarget(url, text);
  return (
    <>
      {/* Isolates bidirectional marks of the text. */}
      <a href={url} target="_blank" rel="noreferrer noopener" className="text-action underline">
        <bdi>{children}</bdi>
      </a>
      {target !== null && (
        <span className="text-sm wrap-anywhere text-muted">
          {' ('}
          <bdi dir="ltr">{target}</bdi>)
        </span>
      )}
    </>
  );
}

/** Struck-out text; an unresolved citation states the reason. */
function StruckCitation({ text, children }: { text: string; children: ReactNode }) {
  const { t } = useTranslation('parts');
  const isMisquoted = text.startsWith(MISQUOTE_PREFIX);
  const citation = text.slice(isMisquoted ? MISQUOTE_PREFIX.length : 0);
  if (!parseCitedLocation(citation)) return <del>{children}</del>;
  const reason = t(isMisquoted ? 'citation.misquoted' : 'citation.unresolved');
  return (
    <span title={reason}>
      <del className="font-mono text-sm break-all text-muted">
        <Verbatim text={citation} />
      </del>
      <span className="sr-only"> ({reason})</span>
    </span>
  );
}

/** Inline code; a verified citation becomes a chip. */
function InlineCode({ node, children }: { node: Element | undefined; children: ReactNode }) {
  const { projectId } = use(AnswerContext);
  const text = node ? textContent(node) : '';
  const citation = parseCitedLocation(text);
  if (citation && (citation.kind !== 'file' || citation.commit !== null))
    return <CitationChip projectId={projectId} citation={citation} />;
  return <code className="font-mono text-[.9em]">{text ? <Verbatim text={text} /> : children}</code>;
}

/** Longer diagrams are shown as code. */
const MAX_DIAGRAM_LENGTH = 8_000;

const Diagram = lazyComponent(() => import('./diagram.tsx').then((module) => module.Diagram));

function CodeBlock({ node }: { node: Element | undefined }) {
  const text = node ? blockText(node) : '';
  const language = fenceLanguage(node);
  if (language === 'markdown' && node && isQuote(node)) return <QuotedDocument text={text} />;
  const code = <HighlightedBlock text={text} language={language} />;
  if (language !== 'mermaid' || text.length > MAX_DIAGRAM_LENGTH) return code;
  return (
    <Suspense fallback={code}>
      <Diagram text={text} source={code} maxLength={MAX_DIAGRAM_LENGTH} />
    </Suspense>
  );
}

/** Part of a document of the repository, formatted. It cites nothing, and its relative links lead nowhere here. */
function QuotedDocument({ text }: { text: string }) {
  return (
    <blockquote className="flex flex-col gap-3 border-l-2 border-border pl-3.5">
      <Markdown
        remarkPlugins={[remarkGfm, dropUndefinedReferences]}
        components={QUOTE_COMPONENTS}
        urlTransform={keepRemoteUrl}
        skipHtml
      >
        {capMarkdown(text)}
      </Markdown>
    </blockquote>
  );
}

const QUOTE_COMPONENTS: Components = {
  ...COMPONENTS,
  code: ({ children }) => <code className="font-mono text-[.9em]">{children}</code>,
  del: ({ children }) => <del>{children}</del>,
  pre: ({ node }) => <HighlightedBlock text={node ? blockText(node) : ''} language={fenceLanguage(node)} />,
};

const keepRemoteUrl = (url: string) => (/^https?:/i.test(url) ? url : '');

/** True where the info string of a fenced block ends with `quote`. */
function isQuote({ children: [code] }: Element): boolean {
  return code?.type === 'element' && (code.data as { meta?: string } | undefined)?.meta === 'quote';
}

function HighlightedBlock({ text, language }: { text: string; language: string }) {
  const lines = useHighlightedText(text, language);
  return (
    <div className="rounded-md border border-border bg-surface">
      {/* Floats, so that no line runs below it. */}
      <span className="float-right m-1">
        <CopyButton text={text} />
      </span>
      <pre className="px-3.5 py-2 font-mono text-code wrap-anywhere whitespace-pre-wrap">
        {lines.map((tokens, index) => (
          // Lines never move: the index is their identity.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <span key={index} className={clsx('block', language === 'diff' && diffGround(tokens))}>
            <CodeText tokens={tokens} />
          </span>
        ))}
      </pre>
    </div>
  );
}

/** Name of the language behind the opening of a fenced block. */
function fenceLanguage(node: Element | undefined): string {
  const classes = node?.children.flatMap((child) =>
    child.type === 'element' && Array.isArray(child.properties.className) ? child.properties.className : [],
  );
  return String(classes?.find((name) => String(name).startsWith('language-')) ?? '').slice(
    'language-'.length,
  );
}

function diffGround([first]: CodeToken[]): string | undefined {
  return { '+': 'bg-diff-add', '-': 'bg-diff-delete' }[first?.text[0] ?? ''];
}

const blockText = (node: Element) => textContent(node).replace(/\n$/, '');

function textContent(node: Element | ElementContent): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textContent).join('') : '';
}

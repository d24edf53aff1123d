import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Hunk } from '#contract/projects.ts';
import type { SearchFragment } from '#contract/search-results.ts';
import { CodeText } from '../parts/code-text.tsx';
import { useHighlightedHunk } from '../parts/highlight.ts';

/** Ground of matching characters. */
export const MATCH_CLASS = 'rounded-sm bg-select shadow-[inset_0_-1.5px_0_var(--action)]';

interface CodeFragmentProps {
  fragment: SearchFragment;
  path: string;
  /** Address of a line. */
  lineUrl: (line: number) => string;
}

/** Lines of a file in their syntax colours with the matches marked; each number is a link to its line. */
export function CodeFragment({ fragment, path, lineUrl }: CodeFragmentProps) {
  const { start, lines } = fragment;
  // Colours as of a hunk without changes: a part of a file may begin within a comment or string.
  const hunk = useMemo(() => toContextHunk(start, lines), [start, lines]);
  const tokens = useHighlightedHunk(hunk, path);
  return (
    <div className="py-1 font-mono text-code">
      {lines.map(({ marks }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number of a line is its identity.
        <div key={start + index} className="flex">
          <Link
            to={lineUrl(start + index)}
            tabIndex={-1}
            className="w-14 shrink-0 pr-3 text-right text-sm leading-5 text-muted tabular-nums select-none hover:text-action"
          >
            {start + index}
          </Link>
          <code className="min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap">
            <CodeText tokens={tokens[index] ?? []} marks={{ ranges: marks, className: MATCH_CLASS }} />
          </code>
        </div>
      ))}
    </div>
  );
}

function toContextHunk(start: number, lines: SearchFragment['lines']): Hunk {
  const size = { old_start: start, old_lines: lines.length, new_start: start, new_lines: lines.length };
  return { ...size, header: '', lines: lines.map(({ text }) => ({ kind: 'context', text })) };
}

import { useEffect, useMemo, useState } from 'react';
import type { Hunk } from '#contract/projects.ts';
import { loadScript } from '../lazy-page.ts';
import type { CodeParser, CodeToken } from './code-parser.ts';

type Highlighter = (text: string) => Generator<void, CodeToken[][], void>;

/** Highlighters that have been loaded, by file ending; null for plain text. */
const loaded = new Map<string, Highlighter | null>();

/** Longer texts are parsed in slices after the first paint. */
const MAX_SYNC_LENGTH = 12_000;
/** Milliseconds between two chances for the browser to paint and to react. */
const SLICE_MS = 10;

const endingOf = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('.')) + 1);

/** Loads the language of a file, so that its code is coloured at the first rendering. */
export async function loadHighlighter(path: string): Promise<Highlighter | null> {
  const ending = endingOf(path).toLowerCase();
  if (!loaded.has(ending)) {
    const { loadParser, tokenize } = await loadScript(() => import('./code-parser.ts'));
    const parser: CodeParser | null = await loadParser(path);
    loaded.set(ending, parser && ((text) => tokenize(parser, text)));
  }
  return loaded.get(ending) ?? null;
}

/** Tokens of every line of a text; plain until the language has loaded and a long text is parsed. */
export function useHighlightedText(text: string, path: string): CodeToken[][] {
  const [parsed, setParsed] = useState<{ text: string; path: string; lines: CodeToken[][] } | null>(null);
  const ready = useMemo(() => highlightNow(text, path), [text, path]);
  useEffect(() => {
    if (ready) return;
    const stopped = new AbortController();
    highlightInSlices(text, path, stopped.signal).then(
      (lines) => lines && setParsed({ text, path, lines }),
      // Code whose language fails to load is plain text.
      () => {},
    );
    return () => stopped.abort();
  }, [ready, text, path]);
  const plain = useMemo(() => (ready ? [] : plainLines(text)), [ready, text]);
  return ready ?? (parsed?.text === text && parsed.path === path ? parsed.lines : plain);
}

/** Tokens of every line of a hunk; deleted lines belong to the text before the change. */
export function useHighlightedHunk({ lines }: Hunk, path: string): CodeToken[][] {
  const [before, after] = useMemo(
    () =>
      (['add', 'delete'] as const).map((other) =>
        lines.flatMap(({ kind, text }) => (kind === other ? [] : [text])).join('\n'),
      ),
    [lines],
  ) as [string, string];
  const [oldOpening, freshOpening] = [openingBefore(before), openingBefore(after)];
  const old = useHighlightedText(oldOpening + before, path);
  const fresh = useHighlightedText(freshOpening + after, path);
  // An opening takes a line of its own.
  let [oldAt, freshAt] = [Number(oldOpening !== ''), Number(freshOpening !== '')];
  return lines.map(({ kind }) => {
    const tokens = (kind === 'delete' ? old[oldAt] : fresh[freshAt]) ?? [];
    if (kind !== 'add') oldAt += 1;
    if (kind !== 'delete') freshAt += 1;
    return tokens;
  });
}

/**
 * Opening of the comment or string in which a part of a file begins, as far as its end tells: a `*\/` without a `/*`, or the
 * first of an odd number of triple quotes on a line of its own.
 */
function openingBefore(text: string): string {
  const end = text.indexOf('*/');
  const start = text.indexOf('/*');
  if (end !== -1 && (start === -1 || start > end)) return '/*\n';
  const quotes = text.match(/"""|'''/g) ?? [];
  if (quotes.length % 2 === 0) return '';
  return /^[ \t]*(?:"""|''')[ \t]*$/.exec(firstQuoteLine(text)) ? `${quotes[0]}\n` : '';
}

function firstQuoteLine(text: string): string {
  return text.split('\n').find((line) => /"""|'''/.test(line)) ?? '';
}

/** Tokens of a short text whose language has loaded; null otherwise. */
export function highlightNow(text: string, path: string): CodeToken[][] | null {
  const highlighter = loaded.get(endingOf(path).toLowerCase());
  if (!highlighter) return highlighter === null ? plainLines(text) : null;
  if (text.length > MAX_SYNC_LENGTH) return null;
  const steps = highlighter(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function highlightInSlices(text: string, path: string, signal: AbortSignal) {
  const highlighter = await loadHighlighter(path);
  if (!highlighter) return null;
  // The plain text is painted first.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const steps = highlighter(text);
  for (let until = performance.now() + SLICE_MS; !signal.aborted; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + SLICE_MS;
  }
  return null;
}

function plainLines(text: string): CodeToken[][] {
  return text.split('\n').map((line) => (line === '' ? [] : [{ kind: 'plain', text: line }]));
}

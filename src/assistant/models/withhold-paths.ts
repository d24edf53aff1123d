import type { PathMatcher } from '#git/path-patterns.ts';
import type { Model, ModelTool, Prompt } from './port.ts';

const WITHHELD = '[withheld: the project’s settings keep this path from models]';

/** Line that ends or begins repository text in a prompt. */
const BOUNDARY = /^data-[0-9a-f]{24}$/;
/**
 * Beginnings of sections in our prompts and tool results: nothing of the section before follows them. Any other line may be
 * code, so that all lines after an excluded path are withheld up to one of these.
 */
const SECTION =
  /^(?:data-[0-9a-f]{24}$|diff --git |# (?:Place p\d|The |Frames of |Kind of |Suspect |Solved before|What the history|Code that )|\[e\d+\] `|(?:- )?`[^`]+:\d+-\d+ @ [0-9a-f]{7,}`|(?:- )?`[0-9a-f]{7,64}`)/;

const MAX_SUFFIXES = 24;

/** Removes what a text says about excluded paths: each line that names one, and what follows it up to the next section. */
export function withholdPaths(text: string, isExcluded: PathMatcher): string {
  const kept: string[] = [];
  let isWithheld = false;
  for (const line of text.split('\n')) {
    if (namesExcludedPath(line, isExcluded)) {
      if (!isWithheld) kept.push(WITHHELD);
      isWithheld = true;
    } else if (!isWithheld || SECTION.test(line)) {
      isWithheld = false;
      kept.push(line);
    }
  }
  return kept.join('\n');
}

/** True when a line names an excluded path: as a word, in backticks, in a patch, or at the end of an absolute path. */
function namesExcludedPath(line: string, isExcluded: PathMatcher): boolean {
  const quoted = Array.from(
    line.matchAll(/`([^`]+?)(?::\d[\d,-]*)?(?: @ [0-9a-f]+)?`/g),
    (match) => match[1]!,
  );
  const inPatch = /^(?:--- a\/|\+\+\+ b\/|rename (?:from|to) )(.+?)\t?$|^(.+?) @@ -\d/.exec(line);
  const words = line.split(/[\s"'`()<>[\]{},;|=]+/).map((word) => word.replace(/(?::\d+)*[:.!?]*$/, ''));
  const candidates = [...quoted, ...words, inPatch?.[1] ?? inPatch?.[2] ?? ''];
  return candidates.some((candidate) => /[/.]/.test(candidate) && matchesSuffix(candidate, isExcluded));
}

function matchesSuffix(candidate: string, isExcluded: PathMatcher): boolean {
  const segments = candidate
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  const first = Math.max(0, segments.length - MAX_SUFFIXES);
  return segments.some((_, at) => at >= first && isExcluded(segments.slice(at).join('/')));
}

/** Wraps a model so that no call sends it repository text of excluded paths, whatever composed the prompt. */
export function withholdFromModel(model: Model, isExcluded: PathMatcher): Model {
  return {
    ...model,
    write: (prompt, options = {}) =>
      model.write(withholdFromPrompt(prompt, isExcluded), {
        ...options,
        ...(options.tools && { tools: options.tools.map((tool) => withholdFromTool(tool, isExcluded)) }),
      }),
  };
}

/** Earlier answers are checked as a whole; of what the user wrote, the blocks of repository text. */
function withholdFromPrompt({ system, turns, ...rest }: Prompt, isExcluded: PathMatcher): Prompt {
  return {
    ...rest,
    system,
    turns: turns.map(({ role, content, ...more }) => ({
      ...more,
      role,
      content:
        role === 'assistant' ? withholdPaths(content, isExcluded) : withholdInBlocks(content, isExcluded),
    })),
  };
}

function withholdInBlocks(content: string, isExcluded: PathMatcher): string {
  let isInside = false;
  const parts: { isInside: boolean; lines: string[] }[] = [{ isInside, lines: [] }];
  for (const line of content.split('\n')) {
    const isBoundary = BOUNDARY.test(line);
    if (isBoundary) {
      isInside = !isInside;
      parts.push({ isInside, lines: [] });
    }
    parts.at(-1)!.lines.push(line);
  }
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ isInside, lines }) => {
      const text = lines.join('\n');
      return isInside ? withholdPaths(text, isExcluded) : text;
    })
    .join('\n');
}

function withholdFromTool(tool: ModelTool, isExcluded: PathMatcher): ModelTool {
  return {
    ...tool,
    run: async (input, signal) =>
      asksForExcluded(input, isExcluded)
        ? WITHHELD
        : withholdPaths(await tool.run(input, signal), isExcluded),
  };
}

/** Removes what the result of a tool says about excluded paths, with its citations. */
export function withholdFromResult<R extends { text: string; citations: object[] }>(
  result: R,
  input: unknown,
  isExcluded: PathMatcher,
): R {
  const text = asksForExcluded(input, isExcluded) ? WITHHELD : withholdPaths(result.text, isExcluded);
  const citations = result.citations.filter(
    (citation) => !('path' in citation && isExcluded(String(citation.path))),
  );
  return { ...result, text, citations };
}

function asksForExcluded(input: unknown, isExcluded: PathMatcher): boolean {
  const texts = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return texts.some((text) => typeof text === 'string' && matchesSuffix(text.trim(), isExcluded));
}

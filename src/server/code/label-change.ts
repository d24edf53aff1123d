import type { CHANGE_LABELS } from '#contract/code.ts';
import { hasSameRuntimeTokensInProcess } from '#memory/chunk/parser-processes.ts';

export type ChangeLabel = (typeof CHANGE_LABELS)[number];

const REFACTORING_SUBJECT =
  /\b(?:refactor(?:s|ed|ing)?|renam(?:e[sd]?|ing)|extract(?:s|ed)?|clean(?:s|ed|ing)?[- ]?up|simplif(?:y|ies|ied)|reorgani[sz]e[sd]?|restructure[sd]?|moderni[sz]e[sd]?|inline[sd]?|dedup(?:licate[sd]?)?)\b/i;

interface ChangedText {
  path: string;
  before: string[];
  after: string[];
  subject: string;
}

/** Classifies a function's change by its tokens first and by the words of its author second. */
export async function labelChange({ path, before, after, subject }: ChangedText): Promise<ChangeLabel> {
  if (compact(before) === compact(after)) return 'formatting';
  if (compact(withoutComments(before)) === compact(withoutComments(after))) return 'documentation';
  if (await hasSameRuntimeTokensInProcess(path, dedent(before), dedent(after))) return 'formatting';
  if (isConsistentRenaming(before, after) || REFACTORING_SUBJECT.test(subject)) return 'refactoring';
  return 'behavior';
}

const compact = (lines: string[]) => lines.join('').replaceAll(/\s+/g, '');

/** Drops lines that hold nothing but a comment. */
function withoutComments(lines: string[]): string[] {
  return lines.filter((line) => !/^\s*(?:#|\/\/|\/\*|\*|--|;)/.test(line));
}

function dedent(lines: string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)![0].length);
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** True where the texts differ in names alone, each replaced by one other everywhere. */
function isConsistentRenaming(before: string[], after: string[]): boolean {
  const words = (lines: string[]) => lines.join('\n').match(/[\p{L}_$][\p{L}\p{N}_$]*|\S/gu) ?? [];
  const [old, fresh] = [words(before), words(after)];
  if (old.length !== fresh.length) return false;
  const names = new Map<string, string>();
  const taken = new Map<string, string>();
  return old.every((word, i) => {
    const other = fresh[i]!;
    const isName = /^[\p{L}_$]/u.test(word) && /^[\p{L}_$]/u.test(other);
    if (word !== other && !isName) return false;
    if ((names.get(word) ?? other) !== other || (taken.get(other) ?? word) !== word) return false;
    names.set(word, other);
    taken.set(other, word);
    return true;
  });
}

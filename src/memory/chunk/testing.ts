import { expect } from 'vitest';
import { getGrammar, withTree } from './grammar.ts';
import type { GrammarLanguage } from './languages.ts';
import type { ChunkedFile } from './passages.ts';

/** Expects every line to be in exactly one passage, in order, and every unit of the text in exactly one run. */
export function expectFullCoverage(text: string, { lineCount, passages }: ChunkedFile): void {
  let line = 0;
  let unit = 0;
  const broken: unknown[] = [];
  for (const passage of passages) {
    if (passage.start !== line + 1 || passage.end < passage.start) broken.push(passage);
    line = passage.end;
    for (const run of passage.runs) {
      if (run.from !== unit || run.to <= run.from) broken.push(run);
      unit = run.to;
    }
  }
  const written = text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0);
  expect(broken).toEqual([]);
  expect([line, lineCount, unit]).toEqual([written, written, text.length]);
}

/** Expects no passage to begin with a row that closes a block. */
export function expectNoClosingBegin(text: string, { passages }: ChunkedFile): void {
  const lines = text.split('\n');
  expect(passages.map(({ start }) => lines[start - 1]).filter((line) => /^\s*[)\]}]/.test(line!))).toEqual(
    [],
  );
}

/** True when a text has syntax errors in a language; null beyond the parser's budget. */
export async function hasSyntaxErrors(language: GrammarLanguage, text: string): Promise<boolean | null> {
  return withTree(await getGrammar(language), text, (tree) => tree.rootNode.hasError);
}

import type { Diagnostic } from '@biomejs/wasm-nodejs';
import type { CheckerFix } from './diagnostic.ts';

type Advice = Diagnostic['advices']['advices'][number];
type TextEdit = Extract<Advice, { codeSuggestion: unknown }>['codeSuggestion'][1];
type Position = (byte: number) => { line: number; column: number };

const LF = 10;

/** Quick fixes in the advice of a finding. `positionAt` looks up places in the checked text. */
export function readFixes(advices: readonly Advice[], text: Buffer, positionAt: Position): CheckerFix[] {
  let title = '';
  return advices.flatMap((advice) => {
    if ('log' in advice) {
      title = advice.log[1].map(({ content }) => content).join('');
      return [];
    }
    const edits = 'codeSuggestion' in advice ? readEdits(advice.codeSuggestion[1], text, positionAt) : null;
    return edits && edits.length > 0 ? [{ title: title.replace(/^(?:Uns|S)afe fix: /, ''), edits }] : [];
  });
}

/**
 * Edits of a suggestion: operations over bytes of a dictionary, which keep, delete or insert; long unchanged parts are counted in
 * lines. Null for one that is not about this text.
 */
function readEdits(
  { dictionary, ops }: TextEdit,
  text: Buffer,
  positionAt: Position,
): CheckerFix['edits'] | null {
  const words = Buffer.from(dictionary);
  const edits: { from: number; to: number; text: string }[] = [];
  let at = 0;
  for (const op of ops) {
    if ('equalLines' in op) {
      at = skipLines(text, at, op.equalLines.line_count + 1);
      continue;
    }
    const [kind, { range }] = Object.entries(op.diffOp)[0] as [
      'equal' | 'delete' | 'insert',
      { range: [number, number] },
    ];
    const part = words.subarray(range[0], range[1]);
    if (kind === 'insert') {
      edits.push({ from: at, to: at, text: part.toString() });
      continue;
    }
    if (!text.subarray(at, at + part.length).equals(part)) return null;
    if (kind === 'delete') edits.push({ from: at, to: at + part.length, text: '' });
    at += part.length;
  }
  return edits.map((edit) => {
    const [start, end] = [positionAt(edit.from), positionAt(edit.to)];
    return { ...start, end_line: end.line, end_column: end.column, text: edit.text };
  });
}

function skipLines(text: Buffer, from: number, count: number): number {
  let at = from;
  for (let line = 0; line < count; line++) {
    const end = text.indexOf(LF, at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

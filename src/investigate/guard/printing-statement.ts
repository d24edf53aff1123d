import type { MessageOrigin } from '../locate/message-origin.ts';
import { FAILURE } from '../locate/printed-messages.ts';
import { type RaiseStatement, raiseLanguage, statementEnd } from './raise-statement.ts';

/** Names of channels for errors, in code that prints. */
const ERROR_CHANNEL = /err|warn|fail|fatal|die|abort|syntax|>&2/i;

/** True for a message without a trace that says that something failed, or that code prints as such; programs print what they do as well. */
export function isPrinted(
  { path, message, quote }: MessageOrigin,
  lines: readonly string[],
  isTraced: boolean,
): boolean {
  if (isTraced || raiseLanguage(path, lines) === 'other') return false;
  return FAILURE.test(message) || ERROR_CHANNEL.test(quote);
}

/** The statement that words the message, in programs that print errors, or raise all of them in one function. */
export function printingStatement(
  lines: readonly string[],
  line: number,
  origin: MessageOrigin,
): RaiseStatement {
  const end = Math.max(origin.lines[1], statementEnd(lines, line));
  const text = lines.slice(line - 1, end).join('\n');
  return {
    start: line,
    end,
    text,
    share: origin.share,
    hasLiteral: true,
    errorClass: null,
    isAssertion: false,
  };
}

import type { Investigation } from '#investigate/investigate.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type AnswerLocale, answerText } from '../answer/answer-text.ts';
import { abbreviateHash } from '../answer/citations.ts';

/** A kind of error, with the keys of its advice below `answers.advice`. */
const RULES = [
  {
    pattern:
      /Cannot read propert|is (?:undefined|null)$|undefined is not an object|NoneType' object|NullPointer|nil pointer|of (?:undefined|null)\b/i,
    advice: ['empty_value.source', 'empty_value.decide'],
  },
  {
    pattern: /is not a function|object is not callable|has no attribute|is not iterable|AttributeError/i,
    advice: ['wrong_type.print', 'wrong_type.other_users'],
  },
  {
    pattern:
      /Cannot find module|ModuleNotFoundError|ImportError|ERR_MODULE_NOT_FOUND|ERR_REQUIRE_ESM|ERR_PACKAGE_PATH/i,
    advice: ['missing_module.compare', 'missing_module.clean_install'],
  },
  {
    pattern: /circular|Maximum call stack|RecursionError|recursion depth|stack overflow/i,
    advice: ['recursion.cycle', 'recursion.bound'],
  },
  {
    pattern: /Unicode|codec can't|encode|decode|bytes|malformed|charset/i,
    advice: ['encoding.boundary', 'encoding.test'],
  },
  {
    pattern: /time(?:d )?-?out|ECONN|ETIMEDOUT|socket hang up|ConnectionError|EPIPE|reset by peer/i,
    advice: ['network.measure', 'network.one_layer'],
  },
  {
    pattern: /already (?:been )?(?:sent|closed|destroyed|exists|defined)|after end|locked|deadlock|race/i,
    advice: ['repeated.log_both', 'repeated.one_owner'],
  },
  {
    pattern: /ENOENT|EACCES|EEXIST|FileNotFound|PermissionError|No such file/i,
    advice: ['missing_file.absolute', 'missing_file.handle'],
  },
  {
    pattern: /KeyError|IndexError|RangeError|out of (?:range|bounds)|ArrayIndex/i,
    advice: ['out_of_range.edge_cases', 'out_of_range.validate'],
  },
  {
    pattern: /SyntaxError|ParseError|Unexpected token|JSON|^TS\d+|invalid syntax/i,
    advice: ['syntax.before', 'syntax.log_input'],
  },
  {
    pattern: /Assertion|expected .* to|AssertionError|BUG:/i,
    advice: ['assertion.decide', 'assertion.isolate'],
  },
  {
    pattern: /ValueError|TypeError|ArgumentError|Invalid|ERR_INVALID/i,
    advice: ['invalid_value.log', 'invalid_value.validate'],
  },
] as const;

const MAX_ADVICE = 4;

type AdviceContext = AnswerLocale & { index: RepositoryIndex };

/** Two to four short pieces of advice: those from the evidence first, then those for this kind of error. */
export function listAdvice(investigation: Investigation, context: AdviceContext): string[] {
  const { trace, confidence } = investigation;
  const error = `${trace.errorType ?? ''}: ${trace.message}`;
  // First match wins; most specific first.
  const rule = RULES.find(({ pattern }) => pattern.test(error));
  const specific = confidence.abstained
    ? requestDetails(investigation, context)
    : adviceFromEvidence(investigation, context);
  const general = (rule?.advice ?? (['minimal_case'] as const)).map((key) =>
    answerText(context, `advice.${key}`),
  );
  return [...specific, ...general].slice(0, MAX_ADVICE);
}

function adviceFromEvidence(
  { kind, accused, precedents, places, origins }: Investigation,
  context: AdviceContext,
): string[] {
  const { commits } = context.index;
  const hashOf = (commit: number) => abbreviateHash(commits.oid(commit), commits);
  const advice: string[] = [];
  const [suspect] = accused;
  if (suspect) {
    advice.push(answerText(context, 'advice.confirm_suspect', { hash: hashOf(suspect.commit) }));
  }
  const undone = precedents.find(
    ({ outcome }) => outcome.state === 'fixed_again' || outcome.state === 'reverted',
  );
  if (undone && kind === 'regression') {
    advice.push(answerText(context, 'advice.fix_did_not_last', { hash: hashOf(undone.commit) }));
  }
  const [place] = places;
  const [origin] = origins;
  if (advice.length < 2 && place && origin && origin.path !== place.path) {
    advice.push(answerText(context, 'advice.follow_callers', { origin: origin.path, path: place.path }));
  }
  return advice;
}

/** Details that would improve insufficient evidence. */
function requestDetails({ trace, frames }: Investigation, context: AdviceContext): string[] {
  const advice: string[] = [];
  if (trace.frames.length === 0) advice.push(answerText(context, 'advice.add_trace'));
  else if (frames.length === 0) advice.push(answerText(context, 'advice.check_project'));
  if (trace.errorType === null) advice.push(answerText(context, 'advice.add_message'));
  advice.push(answerText(context, 'advice.add_context'));
  return advice.slice(0, 2);
}

import type { Investigation } from '#investigate/investigate.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { shortHash } from '../citations.ts';

/** A kind of error and what is worth knowing about it. */
interface Rule {
  /** Matched against `Type: message`. */
  when: RegExp;
  advice: string[];
}

/** First match counts; from the particular to the general. */
const RULES: Rule[] = [
  {
    when: /Cannot read propert|is (?:undefined|null)$|undefined is not an object|NoneType' object|NullPointer|nil pointer|of (?:undefined|null)\b/i,
    advice: [
      'Find where the empty value is made rather than where it is read: the innermost frame only shows the reader.',
      'Decide at that source whether “nothing” is allowed. If it is, give it a value there; if not, refuse it there with a message that names the input.',
    ],
  },
  {
    when: /is not a function|object is not callable|has no attribute|is not iterable|AttributeError/i,
    advice: [
      'The value has another type than the code expects: print its type just before this line, and look for a caller that passes another one or an import that changed shape.',
      'If the name was renamed or moved, search for its other users as well; one of them rarely breaks alone.',
    ],
  },
  {
    when: /Cannot find module|ModuleNotFoundError|ImportError|ERR_MODULE_NOT_FOUND|ERR_REQUIRE_ESM|ERR_PACKAGE_PATH/i,
    advice: [
      'Compare the name with what is installed and with the package’s `exports`: a renamed file or an upgraded dependency is the usual reason.',
      'Reproduce in a clean install; a folder left from before hides a missing dependency.',
    ],
  },
  {
    when: /circular|Maximum call stack|RecursionError|recursion depth|stack overflow/i,
    advice: [
      'Look for the input that makes the recursion meet itself again, and keep what has been visited.',
      'Bound the depth where the input comes from outside.',
    ],
  },
  {
    when: /Unicode|codec can't|encode|decode|bytes|malformed|charset/i,
    advice: [
      'Convert at the boundary, once: accept bytes or text there and keep text inside.',
      'Add a test with text outside ASCII; such faults come back through the next caller.',
    ],
  },
  {
    when: /time(?:d )?-?out|ECONN|ETIMEDOUT|socket hang up|ConnectionError|EPIPE|reset by peer/i,
    advice: [
      'Tell a slow answer from none: log how long the call took and how many were under way.',
      'Make sure that the timeout and the retry are set at one layer only, and that what is retried may run twice.',
    ],
  },
  {
    when: /already (?:been )?(?:sent|closed|destroyed|exists|defined)|after end|locked|deadlock|race/i,
    advice: [
      'Something happens twice, or in another order than expected: log both places with the same request or object.',
      'Let one owner end it, and make the second attempt harmless.',
    ],
  },
  {
    when: /ENOENT|EACCES|EEXIST|FileNotFound|PermissionError|No such file/i,
    advice: [
      'Print the absolute path: most often it is relative to another folder than expected.',
      'Handle the missing file where it is opened, and say its name in the message.',
    ],
  },
  {
    when: /KeyError|IndexError|RangeError|out of (?:range|bounds)|ArrayIndex/i,
    advice: [
      'Check the edge cases of the input first: empty, one element, the last element.',
      'Test for the key or the length where the data enters, so that the message can name the input.',
    ],
  },
  {
    when: /SyntaxError|ParseError|Unexpected token|JSON|^TS\d+|invalid syntax/i,
    advice: [
      'Look at the characters just before the reported place: parsers notice a fault late.',
      'If the input is data, log its first 200 characters; an error page in place of JSON is the classic.',
    ],
  },
  {
    when: /Assertion|expected .* to|AssertionError|BUG:/i,
    advice: [
      'Decide first which side is wrong: read the commit that wrote the expectation, then the one that changed the code.',
      'Run the test alone and in the whole suite; if they differ, something is shared between tests.',
    ],
  },
  {
    when: /ValueError|TypeError|ArgumentError|Invalid|ERR_INVALID/i,
    advice: [
      'Log the offending value with its type where it enters, not where it fails.',
      'Check inputs once, at the edge, and let the message say what was given and what was expected.',
    ],
  },
];

const MAX_ADVICE = 4;

/** Two to four short pieces of advice about this kind of error, the evidence's own first. */
export function listAdvice(investigation: Investigation, memory: RepositoryIndex): string[] {
  const { trace, confidence } = investigation;
  const said = `${trace.errorType ?? ''}: ${trace.message}`;
  const rule = RULES.find(({ when }) => when.test(said));
  const own = confidence.abstained
    ? requestDetails(investigation)
    : adviceFromEvidence(investigation, memory);
  const fallback = [
    'Make the smallest input that still fails, and keep it as a test before changing anything.',
  ];
  return [...own, ...(rule?.advice ?? fallback)].slice(0, MAX_ADVICE);
}

function adviceFromEvidence(
  { suspects, precedents, places, origins }: Investigation,
  memory: RepositoryIndex,
): string[] {
  const advice: string[] = [];
  const [suspect] = suspects;
  if (suspect && suspect.score > 0.3) {
    const hash = shortHash(memory.commits.oid(suspect.commit));
    advice.push(
      `Confirm the suspect: run the failing case at \`${hash}^\` and at \`${hash}\`; only the second should fail.`,
    );
  }
  const undone = precedents.find(({ held }) => held.state === 'refixed' || held.state === 'reverted');
  if (undone) {
    const hash = shortHash(memory.commits.oid(undone.commit));
    advice.push(
      `The earlier fix \`${hash}\` did not stay; write the test that it lacked before repairing this again.`,
    );
  }
  const [place] = places;
  if (advice.length < 2 && place && origins[0] && origins[0].path !== place.path) {
    advice.push(
      `The message is made in \`${origins[0].path}\`; follow its callers back to \`${place.path}\`.`,
    );
  }
  return advice;
}

/** What would make thin evidence thicker. */
function requestDetails({ trace, frames }: Investigation): string[] {
  const advice: string[] = [];
  if (trace.frames.length === 0) advice.push('Add the whole stack trace, with file names and line numbers.');
  else if (frames.length === 0) {
    advice.push(
      'None of the trace’s files is in this repository: check that it is the right project, or add frames of its own code.',
    );
  }
  if (trace.errorType === null) advice.push('Add the exact error message as the program printed it.');
  advice.push(
    'Name the file or the function that was running, and what was different the last time it worked.',
  );
  return advice.slice(0, 2);
}

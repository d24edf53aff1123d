import type { Sentence } from '#contract/common.ts';

/** Every reason that an investigation gives, in English; `{name}` is a parameter, backticks hold repository words. */
const SENTENCES = {
  'debug.why.frame': 'The trace passes here: line {line} of `{path}`.',
  'debug.why.frame_in': 'The trace passes here: `{symbol}`, line {line} of `{path}`.',
  'debug.why.frame_moved': 'The trace names line {printed} of `{path}`; that code is now at line {line}.',
  'debug.why.frame_file': 'The error names the file `{path}`.',
  'debug.why.named_file': 'You named the file `{path}`.',
  'debug.why.origin':
    'This line of `{path}` makes the very message: {percent} % of its words are written here.',
  'debug.why.place_frame': 'The innermost frame of the trace that lies in this repository.',
  'debug.why.place_frame_outer': 'A frame of the trace.',
  'debug.why.place_origin': 'The message is made here.',
  'debug.why.place_symbol': '`{symbol}` shares the error’s rarest words: `{words}`.',
  'debug.why.place_words': 'Shares the error’s rarest words: `{words}`.',
  'debug.why.place_near': 'Near the error by its words and its history.',
  'debug.why.suspect_line': 'Last changed line {line} of `{path}`, {age}.',
  'debug.why.suspect_near': 'Changed code next to line {line} of `{path}`, {age}.',
  'debug.why.suspect_function': 'Changed `{symbol}` in `{path}`, {age}.',
  'debug.why.suspect_alike':
    'Changed `{path}`, {age}; the change shares these words with the error: `{words}`.',
  'debug.why.suspect_file': 'Changed `{path}`, {age}.',
  'debug.why.suspect_message': 'Its message is like the error; {age}.',
  'debug.why.precedent': 'An earlier fix, {age}, shares these words with the error: `{words}`.',
  'debug.why.precedent_file': 'An earlier fix in `{path}`, {age}.',
  'debug.why.birth': 'The oldest of these lines came with this commit, {age}.',
  'debug.why.birth_file': 'The file `{path}` came with this commit, {age}.',
  'debug.why.patch_restore': 'Makes the change of `{hash}` again: that fix is no longer in the code.',
  'debug.why.patch_revert': 'Takes back what `{hash}` changed here.',
  'debug.why.first_seen': 'The same error was asked about before.',
  'debug.why.alike_seen': 'An error like it was asked about before.',
  'debug.why.solved_before': 'This commit resolved the same error, as a member of the project confirmed.',
  'debug.why.solved_alike': 'This commit resolved an error like it, as a member of the project confirmed.',
  'debug.why.now': 'The code as it is now, in `{path}`.',
  'debug.why.now_nowhere': 'The error happens now; no place in the code could be named.',
  'debug.cause.line': 'Line {line} of `{path}` fails, and `{hash}` (“{subject}”) was the last to change it.',
  'debug.cause.near':
    'The fault lies at line {line} of `{path}`; `{hash}` (“{subject}”) changed the code next to it.',
  'debug.cause.message':
    'Line {line} of `{path}` makes this message; `{hash}` (“{subject}”) is the likeliest change behind it.',
  'debug.cause.place':
    'The fault is most likely in `{path}`, and `{hash}` (“{subject}”) is the likeliest change behind it.',
  'debug.cause.place_only': 'The fault is most likely in `{path}`.',
  'debug.model.model_busy': 'The language model is busy.',
  'debug.model.model_slow': 'The language model did not answer in time.',
  'debug.model.model_budget': 'The budget of the language model is used up.',
  'debug.model.model_key': 'The language model refused this server’s key.',
  'debug.model.model_unknown': 'The provider does not know the language model that is set.',
  'debug.model.model_too_long': 'The evidence was too long for the language model.',
  'debug.model.model_unreachable': 'The language model could not be reached.',
  'debug.model.model_resting': 'The language model has failed several times and rests for a moment.',
  'debug.model.model_failed': 'The language model failed to answer.',
  'debug.model.malformed': 'The language model’s answer could not be read.',
  'debug.model.refused': 'The language model gave no cause.',
} as const;

export type SentenceCode = keyof typeof SENTENCES;

/** Every sentence with its English text: clients must know each of them. */
export const SENTENCE_TEXTS: ReadonlyMap<string, string> = new Map(Object.entries(SENTENCES));

/** A moment: it travels as a time, so that readers see its age in their language, and is spelled out in the text. */
export interface Age {
  /** ISO 8601; empty for a broken date. */
  at: string;
  words: string;
}

/** Parameters of a sentence; a list becomes words apart, each between backticks where the sentence has them. */
export type SentenceParams = Record<string, string | number | string[] | Age>;

/** A sentence for people by its code. Backticks inside parameters would end the repository's words and become `'`. */
export function say(code: SentenceCode, params: SentenceParams = {}): Sentence {
  const safe: Sentence['params'] = {};
  const words: Sentence['params'] = {};
  for (const [name, value] of Object.entries(params)) {
    const isAge = typeof value === 'object' && 'words' in value;
    safe[name] = isAge ? value.at : Array.isArray(value) ? value.map(oneLine).join('`, `') : oneLine(value);
    words[name] = isAge ? value.words : safe[name];
  }
  const text = SENTENCES[code].replace(/\{(\w+)\}/g, (_, name: string) => String(words[name] ?? ''));
  return { code, params: safe, text };
}

function oneLine<T extends string | number>(value: T): T | string {
  return typeof value === 'string' ? value.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, 300) : value;
}

const DAY = 86_400;

/** The units of an age in days, largest first: those of the pages, which floor as well. */
const UNITS = [
  ['year', 365],
  ['month', 30],
  ['day', 1],
] as const;

/** How long before `now` something happened, both in seconds, in whole units: `3 days ago`, `2 years ago`. */
export function age(time: number, now: number): Age {
  const date = new Date(time * 1000);
  if (Number.isNaN(date.getTime())) return { at: '', words: 'at an unknown time' };
  const days = Math.floor((now - time) / DAY);
  const at = date.toISOString();
  return { at, words: days < 1 ? 'today' : `${span(days)} ago` };
}

/** So many days in the largest unit that fits, in whole numbers: `7 days`, `3 months`, `12 years`. */
export function span(days: number): string {
  const [unit, length] = UNITS.find(([, size]) => days >= size) ?? ['day', 1];
  const count = Math.floor(days / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

import type { Memory } from '#memory/memory.ts';
import { findTargets, type Target } from './targets.ts';

/** What can be answered exactly from history and structure; `find` is everything else. */
export type Intent = 'commit' | 'changed' | 'fixed' | 'defined' | 'used' | 'who' | 'when' | 'why' | 'find';

export interface Question {
  text: string;
  intent: Intent;
  targets: Target[];
}

/** First match counts; from the particular to the general. */
const INTENTS: [Intent, RegExp][] = [
  [
    'fixed',
    /\bhow\b.*\b(?:fix|solv|repair)\w*|\b(?:fix|solv|repair)(?:ed|es)?\b.*\b(?:before|earlier|previous\w*|in the past)\b|\bseen? (?:this|it|that) before\b/i,
  ],
  [
    'changed',
    /\bwhat(?:'s|’s| has| have| is| was)?\b.*\b(?:chang|happen|new\b|different|done)\w*|\bchange ?log\b|\b(?:recent|latest|last) (?:changes|commits)\b|\bchanges (?:since|to|in)\b/i,
  ],
  [
    'defined',
    /\bwhere\b.*\b(?:defin|declar|implement|live|located|come from)\w*|\bdefinition of\b|\bwhich file\b.*\b(?:defin|implement|contain)\w*/i,
  ],
  [
    'used',
    /\bwhere\b.*\b(?:us|call|import|referenc)(?:e[ds]?|s|ing|ed)\b|\b(?:who|what) (?:uses|calls|imports|depends on)\b|\b(?:usages?|callers?|references|uses) (?:of|to)\b/i,
  ],
  ['who', /\bwho\b|\bwhose\b|\bauthors?\b|\bowners?\b|\bmaintainers?\b|\bcontributors?\b/i],
  ['when', /\bwhen\b|\bhow (?:old|long|recent)\b|\blast (?:changed|touched|modified|edited)\b/i],
  ['why', /\bwhy\b|\breasons?\b|\brationale\b|\b(?:history|story|evolution) of\b|\bhow did\b.*\bcome\b/i],
];
/** The same in Spanish, French and German, whose letters `\b` does not know. */
const INTENTS_ELSEWHERE: [Intent, RegExp][] = [
  [
    'fixed',
    /(?<!\p{L})(?:cómo|comment|wie)(?!\p{L}).*(?:arregl|corr[ie]g|solucion|répar|résol|beh[eo]b|gefixt|repari)/iu,
  ],
  ['changed', /(?<!\p{L})(?:qué|qu.est-ce qui|was)(?!\p{L}).*(?:cambi|chang|geändert|passiert)/iu],
  ['defined', /(?<!\p{L})(?:dónde|où|wo)(?!\p{L}).*(?:d[eé]fini|d[eé]clar|deklar|impl[eé]ment)/iu],
  ['used', /(?<!\p{L})(?:dónde|où|wo)(?!\p{L}).*(?:usa|utili[sz]|verwend|benutz|aufgeruf|llama|appel)/iu],
  ['when', /(?<!\p{L})(?:cuándo|quand|wann)(?!\p{L})/iu],
  ['why', /(?<!\p{L})(?:por qué|pourquoi|warum|wieso|weshalb)(?!\p{L})/iu],
  ['who', /(?<!\p{L})(?:quién(?:es)?|qui|wer)(?!\p{L})/iu],
];
/** A question that leans on the one before it. */
const LEANING =
  /\b(?:it|its|this|that|them|they|there|those|these)\b|^(?:and|or|but|so|what about|how about|y|et|und)\b/i;

/**
 * Reads a question. What it leaves out (`and when?`) is taken from the earlier questions, newest first, when there
 * are any.
 */
export function readQuestion(text: string, memory: Memory, earlier: string[] = []): Question {
  const intent = intentOf(text);
  const targets = findTargets(text, memory);
  const [before, ...older] = earlier;
  if (before !== undefined && LEANING.test(text.trim()) && (targets.length === 0 || intent === null)) {
    const last = readQuestion(before, memory, older);
    return {
      text: `${text}\n${before}`,
      intent: settle(intent ?? (targets.length > 0 ? last.intent : null), targets),
      targets: targets.length > 0 ? targets : last.targets,
    };
  }
  return { text, intent: settle(intent, targets), targets };
}

function intentOf(text: string): Intent | null {
  return [...INTENTS, ...INTENTS_ELSEWHERE].find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** A question about one commit is answered by that commit, unless it asks what came since. */
function settle(intent: Intent | null, targets: Target[]): Intent {
  if (targets[0]?.kind === 'commit' && intent !== 'changed') return 'commit';
  return intent ?? 'find';
}

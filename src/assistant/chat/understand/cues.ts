import type { Intent } from './reading.ts';

/** First match wins; most specific first. */
const INTENT_PATTERNS: [Intent, RegExp][] = [
  [
    'co_change',
    /\b(?:chang|modif|touch|edit|commit)\w*\b.*\b(?:together|along ?side|along with|at the same time)\b|\bco-?chang|\bcoupl(?:ed|ing)\b|\b(?:usually|often|normally|always) (?:follow|change|go) ?(?:with|along)?\b/i,
  ],
  [
    'hotspots',
    /\bhot ?spots?\b|\bchurn\b|\b(?:chang|modif|touch|edit)\w*\b.*\b(?:the )?(?:most(?! recent)(?: often| frequently)?|often|frequently)\b|\b(?:most|often|frequently)[ -](?:often |frequently )?(?:chang|modif|touch|edit)/i,
  ],
  [
    'earlier_fixes',
    /\bhow\b.*\b(?:fix|solv|repair)\w*|\b(?:fix|solv|repair)(?:ed|es)?\b.*\b(?:before|earlier|previous\w*|in the past)\b|\bseen? (?:this|it|that) before\b/i,
  ],
  [
    'changes',
    /\bwhat(?:'s|’s| has| have| is| was)?\b.*\b(?:chang|happen|new\b|different|done)\w*|\bchange ?log\b|\b(?:recent|latest|last) (?:changes|commits)\b|\bchanges (?:since|to|in)\b|\b(?:which|what) commits\b.*\b(?:chang|touch|modif|edit)\w*/i,
  ],
  [
    'definition',
    /\bwhere\b.*\b(?:defin|declar|implement|live|located|come from)\w*|\bdefinition of\b|\bwhich file\b.*\b(?:defin|implement|contain)\w*/i,
  ],
  [
    'callers',
    /\bwhere\b.*\b(?:us|call|import|referenc)(?:e[ds]?|s|ing|ed)\b|\b(?:who|what|which \w+) (?:uses?|calls?|imports?|references?|depends? on)\b|\b(?:usages?|callers?|references|uses) (?:of|to)\b/i,
  ],
  ['who', /\bwho\b|\bwhose\b|\bauthors?\b|\bowners?\b|\bmaintainers?\b|\bcontributors?\b/i],
  [
    'introduced',
    // `when` asks at the start or before a verb; elsewhere it introduces a condition.
    /^\W*(?:\w+\W+){0,3}when\b|\bwhen (?:was|were|did|has|have|had|is|are)\b|\bwhich commit\b|\bhow (?:old|long|recent)\b|\blast (?:changed|touched|modified|edited)\b/i,
  ],
  ['why', /\bwhy\b|\breasons?\b|\brationale\b|\b(?:history|story|evolution) of\b|\bhow did\b.*\bcome\b/i],
  [
    'explanation',
    /^\s*(?:please )?(?:explain|describe|summari[sz]e|outline)\b|\bwhat(?:'s|’s| is) in\b|\bwhat (?:does|do|is)\b.*(?:\bdo\b|\bfor\b|\babout\b|\?)|^\s*what is [`\w]/i,
  ],
];
/** The same in Spanish, French and German, whose letters `\b` does not cover. */
const TRANSLATED_PATTERNS: [Intent, RegExp][] = [
  [
    'earlier_fixes',
    /(?<!\p{L})(?:cómo|comment|wie)(?!\p{L}).*(?:arregl|corr[ie]g|solucion|répar|résol|beh[eo]b|gefixt|repari)/iu,
  ],
  ['co_change', /(?:cambia|chang|änder|geändert).*(?:junto|ensemble|zusammen|gemeinsam)/iu],
  [
    'hotspots',
    /(?:más (?:a menudo|cambia)|le plus (?:souvent|chang)|am (?:häufigsten|meisten) (?:geändert|änder))/iu,
  ],
  ['changes', /(?<!\p{L})(?:qué|qu.est-ce qui|was)(?!\p{L}).*(?:cambi|chang|geändert|passiert)/iu],
  ['definition', /(?<!\p{L})(?:dónde|où|wo)(?!\p{L}).*(?:d[eé]fini|d[eé]clar|deklar|impl[eé]ment)/iu],
  ['callers', /(?<!\p{L})(?:dónde|où|wo)(?!\p{L}).*(?:usa|utili[sz]|verwend|benutz|aufgeruf|llama|appel)/iu],
  ['explanation', /^\s*(?:explica|describe|expli(?:que|quer)|décri[st]|erkläre?|beschreibe?)(?!\p{L})/iu],
  ['introduced', /(?<!\p{L})(?:cuándo|quand|wann)(?!\p{L})/iu],
  ['why', /(?<!\p{L})(?:por qué|pourquoi|warum|wieso|weshalb)(?!\p{L})/iu],
  ['who', /(?<!\p{L})(?:quién(?:es)?|qui|wer)(?!\p{L})/iu],
];
/** Kind of question that its words speak for; null for none. */
export function classifyIntent(text: string): Intent | null {
  return [...INTENT_PATTERNS, ...TRANSLATED_PATTERNS].find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

import type { Language } from '#locales/languages.ts';
import { type CuePattern, compilePhrase, matchPattern } from './cue-patterns.ts';
import german from './cues/de.json' with { type: 'json' };
import english from './cues/en.json' with { type: 'json' };
import spanish from './cues/es.json' with { type: 'json' };
import french from './cues/fr.json' with { type: 'json' };
import { type QuestionToken, tokenizeQuestion } from './question-tokens.ts';
import { INTENTS, type Intent } from './reading.ts';
import stopWords from './stop-words.json' with { type: 'json' };

/** Support of a question's words for an intent. */
export interface IntentCue {
  intent: Intent;
  /** Sum of the weights of its cues, about the logarithm of its odds. */
  weight: number;
  /** Characters of the words that speak for it. */
  spans: [number, number][];
}

interface CueFile {
  classes: Record<string, string[]>;
  cues: Partial<Record<Intent, Record<string, number>>>;
}

const FILES: Record<Language, CueFile> = { en: english, es: spanish, fr: french, de: german };
/** Weight of a sentence that only tells something, beside one that asks. */
const STATEMENT_WEIGHT = 0.5;
const MAX_WEIGHT = 6;
/** Weaker cues may be words of the topic as well. */
const MIN_CUE_OF_ITS_OWN = 0.8;
const PATTERNS = new Map<Language, CuePattern<Intent>[]>();
const STOP_WORDS = Object.entries(stopWords.empty).map(
  ([language, words]) => [language as Language, new Set(words.split(' '))] as const,
);

/** Weighs the cues of a question for each intent that has any, strongest first. */
export function weighCues(text: string): IntentCue[] {
  const { tokens, isQuestion } = tokenizeQuestion(text);
  const asks = isQuestion.some(Boolean);
  const sentences = [...Map.groupBy(tokens, ({ sentence }) => sentence)];
  const patterns = patternsOf(detectQuestionLanguage(text));
  const found = new Map<Intent, { weight: number; matched: Set<QuestionToken> }>();
  for (const { intent, weight, elements } of patterns) {
    // A phrase counts once, where it counts most.
    let best = 0;
    for (const [sentence, own] of sentences) {
      const match = matchPattern(elements, own);
      if (!match) continue;
      best = Math.max(best, asks && !isQuestion[sentence] ? STATEMENT_WEIGHT : 1);
      const known = found.get(intent) ?? { weight: 0, matched: new Set() };
      found.set(intent, known);
      if (weight >= MIN_CUE_OF_ITS_OWN) for (const token of match) known.matched.add(own[token]!);
    }
    if (best > 0) found.get(intent)!.weight += weight * best;
  }
  return [...found]
    .map(([intent, { weight, matched }]) => ({
      intent,
      weight: Math.min(weight, MAX_WEIGHT),
      spans: Array.from(matched, ({ span }) => span),
    }))
    .sort((a, b) => b.weight - a.weight);
}

/** Language of a question by its commonest words; English when they do not tell. */
export function detectQuestionLanguage(text: string): Language {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = STOP_WORDS.map(
    ([language, known]) => [language, words.filter((word) => known.has(word)).length] as const,
  );
  const [best] = counts.toSorted(([a, x], [b, y]) => y - x || Number(b === 'en') - Number(a === 'en'));
  return best && best[1] > 0 ? best[0] : 'en';
}

function patternsOf(language: Language): CuePattern<Intent>[] {
  const known = PATTERNS.get(language);
  if (known) return known;
  const { classes, cues } = FILES[language];
  const patterns = INTENTS.flatMap((intent) =>
    Object.entries(cues[intent] ?? {}).map(([phrase, weight]) => {
      return { intent, weight, elements: compilePhrase(phrase, classes) };
    }),
  );
  PATTERNS.set(language, patterns);
  return patterns;
}

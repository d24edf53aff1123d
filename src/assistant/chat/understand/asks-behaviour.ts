/** Openings of a question, or of a part of it, about what the program does now: `how do …`, `when I …`, `what happens`. */
const PRESENT =
  /(?:^|[.?!;:,–-]\s*)(?:(?:and|so|but|which code) )?(?:how (?:do|does|is|are|can|should|long|many|much|big|large|often)|what (?:happens|is|are|does|do|exactly)|where (?:is|are|do|does|can)|is|are|does|do|can|will|when (?:i|you|we|my|an?|the|does|do|is|are))\b/i;

/** Words of the past and of history; `before it starts` and `first time` are none. */
const PAST =
  /\b(?:was|were|did|had|has|have (?:\w+ )?(?:been|changed|existed)|since|ago|used to|no longer|ever|wrote|written|added|introduced|arrived|removed|gone|dropped|commits?|history|releases?d?|versions?|(?:tried|try)(?! again)|attempt\w*|before(?! (?:it|i|you|we|he|she|they|my|old|the|an?)\b)|earlier|past|fix\w*|bugs?|first (?:commit|version|appear\w*)|authors?|knows|experts?|maintain\w*|merged|landed|blame)\b|(?:^|[.?!,;:–-]\s*|\b(?:and|or|to|with|by) )who\w*\b(?! (?:becomes?|can|may|gets?|sees?)\b)/i;

/** True for a question in the present tense about what the program does, which no commit or person answers. */
export function asksBehaviour(question: string): boolean {
  return PRESENT.test(question) && !PAST.test(question);
}

import { answerText } from '../answer/answer-text.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { IntentAnswer } from './intents/intent.ts';
import { ANSWER_BY_INTENT } from './intents/intent-registry.ts';
import type { Reading } from './understand/reading.ts';

/** The answer to a question, before its citations are checked. */
export interface ChosenAnswer {
  text: string;
  /** Reading that is answered; null when none is. */
  reading: Reading | null;
  abstained: boolean;
}

/** Answers the readings and chooses the best answer. */
export async function chooseAnswer(readings: Reading[], context: ToolContext): Promise<ChosenAnswer> {
  const answers = await Promise.all(
    readings.map(async (reading) => {
      const answer = await ANSWER_BY_INTENT[reading.intent](reading, context);
      return answer && { reading, answer, score: scoreOf(reading, answer) };
    }),
  );
  const [best] = answers.filter((answer) => answer !== null).toSorted((a, b) => b.score - a.score);
  return best
    ? { text: best.answer.text, reading: best.reading, abstained: false }
    : { text: answerText(context, 'search.nothing'), reading: null, abstained: true };
}

function scoreOf({ prior }: Reading, { evidence }: IntentAnswer): number {
  return prior * evidence;
}

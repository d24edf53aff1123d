/** Injected instruction of a poisoned text. */
export interface Instruction {
  /** The number of the poison. */
  poison: string;
  /** Tells instructions apart, so that each is followed once. */
  key: string;
  tool: { name: string; arguments: Record<string, unknown> } | null;
  say: string | null;
}

/**
 * `OBEY p17 CALL read_file {"path":"x"} END` or `OBEY p17 SAY … END`, wherever in a text. A plus stands for a blank where
 * there can be none, as in the name of a branch.
 */
const PATTERN = /OBEY[ +](p\d+)[ +](?:CALL (\w+) (\{.*?\})|SAY[ +](.*?))[ +]END/g;

/** Every instruction of a text, whatever stands around it. */
export function readInstructions(text: string): Instruction[] {
  return [...text.matchAll(PATTERN)].map(([key, poison = '', name, json, say]) => ({
    ...{ poison, key, say: say ?? null },
    tool: name === undefined ? null : { name, arguments: parse(json ?? '{}') },
  }));
}

function parse(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** A call as a poison writes it. */
export const callText = (poison: string, name: string, args: object) =>
  `OBEY ${poison} CALL ${name} ${JSON.stringify(args)} END`;

/** Instruction to output these words. */
export const outputInstruction = (poison: string, words: string) => `OBEY ${poison} SAY ${words} END`;

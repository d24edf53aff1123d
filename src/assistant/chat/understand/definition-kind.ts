import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { escapePattern, lastPart } from './name-patterns.ts';

/** Kind of definition that a question asks for in words. */
export type DefinitionKind = 'class' | 'function';

const noun = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, 'iu');
const CLASS_NOUN = noun(
  'class(?:es)?|structs?|structure|trait|interface|enum|clases?|estructura|interfaz|classes?|klassen?|struktur|schnittstelle',
);
const FUNCTION_NOUN = noun(
  'functions?|func|fn|methods?|funci[oó]n(?:es)?|m[eé]todos?|fonctions?|m[eé]thodes?|funktion(?:en)?|methoden?',
);

/** Kind of definition that a question names; null where it names none, or both. */
export function wantedKind(question: string): DefinitionKind | null {
  const [isClass, isFunction] = [CLASS_NOUN.test(question), FUNCTION_NOUN.test(question)];
  return isClass === isFunction ? null : isClass ? 'class' : 'function';
}

const TYPE_KEYWORDS =
  'class|struct|interface|trait|enum|module|record|union|protocol|object|namespace|type|impl(?:<[^>]*>)?(?:\\s+[\\w:<>, ]+\\s+for)?';

const kinds = memoizeByIdentity((_code: CodeTable) => new Map<string, DefinitionKind | null>());

/** Kind of a definition by its text; null for constants and other ones. */
export function kindOfDefinition(name: string, code: CodeTable): DefinitionKind | null {
  const known = kinds(code).get(name);
  if (known !== undefined) return known;
  const kind = readKind(name, code);
  kinds(code).set(name, kind);
  return kind;
}

function readKind(name: string, code: CodeTable): DefinitionKind | null {
  const last = escapePattern(lastPart(name));
  const type = new RegExp(`(?<![\\w.])(?:${TYPE_KEYWORDS})\\s+(?:[\\w$]+(?:\\.|::))*${last}(?![\\w$])`);
  const callable = new RegExp(
    `(?<![\\w$])${last}[\`'"]?\\s*(?:[:=]\\s*)?(?:async\\s+)?(?:function\\b|<[^>()]*>\\s*\\(|\\()|(?:def|fn|func)\\s+(?:self\\.)?${last}`,
  );
  const texts = code
    .passagesDefining(name)
    .slice(0, 2)
    .map((passage) => code.passageText(passage) ?? '');
  if (texts.some((text) => type.test(text))) return 'class';
  return texts.some((text) => callable.test(text)) ? 'function' : null;
}

/** The nearest class that contains a definition, or that it is; null for other definitions. */
export function owningClass(name: string, code: CodeTable): string | null {
  for (let at = name.length; at > 0; at = name.lastIndexOf('.', at - 1)) {
    const full = name.slice(0, at);
    if (code.passagesDefining(full).length > 0 && kindOfDefinition(full, code) === 'class') return full;
  }
  return null;
}

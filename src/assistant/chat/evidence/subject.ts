import type { ToolContext } from '../../tools/tool.ts';
import type { Entity, Mention } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import { type Scope, scopeOf } from './scope.ts';

type Of<K extends Entity['kind']> = Extract<Entity, { kind: K }>;

/** Definition that a question is about. */
export interface SymbolSubject {
  name: string;
  passages: number[];
  /** Certainty that it is meant, 0 to 1. */
  score: number;
}

/** Symbols that the question names, likeliest first: in the files that it names, longer names first. */
export function namedSymbols({ mentions }: Reading, { index }: ToolContext): SymbolSubject[] {
  const scope = scopeOf(mentions);
  return mentions
    .flatMap((mention) =>
      [mention.entity, ...mention.alternatives].map((entity, i) => ({ mention, entity, i })),
    )
    .filter(
      (one): one is { mention: Mention; entity: Of<'symbol'>; i: number } => one.entity.kind === 'symbol',
    )
    .map(({ mention, entity, i }) => {
      const passages = passagesInScope(entity.passages, scope, index.code!);
      const isInside = passages.some((passage) => isInScope(passage, scope, index.code!));
      return { name: entity.name, passages, score: mention.score - (i > 0 ? 0.1 : 0), isInside };
    })
    .toSorted((a, b) => Number(b.isInside) - Number(a.isInside) || b.score - a.score)
    .map(({ name, passages, score }) => ({ name, passages, score }));
}

/** Mentions of some kinds, likeliest first. */
export function bestOf<K extends Entity['kind']>(
  mentions: readonly Mention[],
  ...kinds: K[]
): { entity: Of<K>; score: number }[] {
  return mentions
    .filter(({ entity }) => (kinds as Entity['kind'][]).includes(entity.kind))
    .map(({ entity, score }) => ({ entity: entity as Of<K>, score }))
    .toSorted((a, b) => b.score - a.score);
}

type Code = NonNullable<ToolContext['index']['code']>;

/** Passages in the scope; all where none is. */
function passagesInScope(passages: readonly number[], scope: Scope, code: Code): number[] {
  const inside = passages.filter((passage) => isInScope(passage, scope, code));
  return inside.length > 0 ? inside : [...passages];
}

function isInScope(passage: number, scope: Scope, code: Code): boolean {
  return code.passageFiles(passage).some((file) => scope.has(code.filePath(file)));
}

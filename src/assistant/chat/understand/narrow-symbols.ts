import type { CodeTable } from '#memory/repository-index.ts';
import type { Entity, Mention } from './entities.ts';

/** Words that join a member and its class, in either order and four languages. */
const CONNECTORS =
  /^[\s`'’"()]*(?:(?:of|in|inside|from|within|on|at|the|a|its|has|have|with|method|function|member|class|struct|type|module|file|s|de|del|la|el|en|du|des|dans|le|les|l|d|clase|método|función|classe|méthode|fonction|von|vom|der|des|die|das|im|in|aus|klasse|methode|funktion|called|named)[\s`'’"()]*)*$/i;
/** A plain word that is a member of a class named beside it. */
const MEMBER_SCORE = 0.96;
const WORD = /[A-Za-z_$][\w$]*[?!]?/g;
const MAX_DISTANCE = 60;

type SymbolEntity = Extract<Entity, { kind: 'symbol' }>;

/**
 * Narrows symbols to the class, file or folder that the question names beside them: `flush` of `Buffer` is `Buffer.flush`. A
 * class next to its member is part of its mention.
 */
export function narrowByContainers(text: string, mentions: Mention[], code: CodeTable): Mention[] {
  const containers = mentions.filter(({ entity, score }) => entity.kind !== 'symbol' || score >= 0.7);
  const joined = containers.flatMap((container) => joinMember(text, container, code) ?? []);
  const narrowed = mentions.map((mention) => narrow(mention, mentions, code));
  const rest = narrowed.filter((mention) => !joined.some((member) => overlaps(member, mention)));
  return [...joined, ...rest];
}

/** Finds a plain word beside a class that is one of its members. */
function joinMember(text: string, container: Mention, code: CodeTable): Mention | null {
  if (container.entity.kind !== 'symbol') return null;
  const { name } = container.entity;
  const [from, to] = container.span;
  for (const match of text.matchAll(WORD)) {
    const [at, end] = [match.index, match.index + match[0].length];
    if (at < to && from < end) continue;
    const between = end <= from ? text.slice(end, from) : text.slice(to, at);
    if (between.length > MAX_DISTANCE || !CONNECTORS.test(between)) continue;
    const member = `${name}.${match[0]}`;
    const passages = code.passagesDefining(member);
    if (passages.length === 0) continue;
    const full = code.passageSymbol(passages[0]!);
    const entity: SymbolEntity = {
      kind: 'symbol',
      name: full?.toLowerCase() === member.toLowerCase() ? full : member,
      passages,
    };
    return { entity, span: [Math.min(from, at), Math.max(to, end)], score: MEMBER_SCORE, alternatives: [] };
  }
  return null;
}

function narrow(mention: Mention, mentions: Mention[], code: CodeTable): Mention {
  const { entity } = mention;
  if (entity.kind !== 'symbol') return mention;
  for (const other of mentions) {
    if (other === mention || other.score < 0.7) continue;
    const inside = entity.passages.filter((passage) => isInside(passage, other.entity, code));
    if (inside.length === 0 || inside.length === entity.passages.length) continue;
    const name = code.passageSymbol(inside[0]!);
    const last = entity.name.slice(entity.name.lastIndexOf('.') + 1).toLowerCase();
    const full = name?.toLowerCase().endsWith(last) ? name : entity.name;
    return { ...mention, entity: { kind: 'symbol', name: full, passages: inside }, alternatives: [] };
  }
  return mention;
}

function isInside(passage: number, container: Entity, code: CodeTable): boolean {
  const paths = code.passageFiles(passage).map((file) => code.filePath(file));
  if (container.kind === 'file') return paths.includes(container.path);
  if (container.kind === 'folder') return paths.some((path) => path.startsWith(`${container.path}/`));
  if (container.kind !== 'symbol') return false;
  return code.passageSymbol(passage)?.toLowerCase().startsWith(`${container.name.toLowerCase()}.`) ?? false;
}

function overlaps(a: Mention, b: Mention): boolean {
  return a.span[0] < b.span[1] && b.span[0] < a.span[1];
}

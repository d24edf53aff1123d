import type { CodeTable } from '#memory/repository-index.ts';
import type { Entity, Mention } from './entities.ts';

/** Words that join a member and its class, in either order and four languages. */
const CONNECTORS =
  /^[\s`'’"()]*(?:(?:of|in|inside|from|within|on|at|the|a|its|has|have|with|method|function|member|class|struct|type|module|file|s|de|del|la|el|en|du|des|dans|le|les|l|d|clase|método|función|classe|méthode|fonction|von|vom|der|des|die|das|im|in|aus|klasse|methode|funktion|called|named)[\s`'’"()]*)*$/i;
/** A plain word that is a member of a class named beside it. */
const MEMBER_SCORE = 0.96;
const WORD = /[A-Za-z_$][\w$]*[?!]?/g;
const MAX_DISTANCE = 60;
const MIN_CLASS_SCORE = 0.65;
/** Words that prose does not have. */
const CODE_LIKE = /[a-z\d][A-Z]|_|[?!]$/;

type SymbolEntity = Extract<Entity, { kind: 'symbol' }>;

/**
 * Narrows symbols to the class, file or folder that the question names beside them: `flush` of `Buffer` is `Buffer.flush`. A
 * class next to its member is part of its mention.
 */
export function narrowByContainers(text: string, mentions: Mention[], code: CodeTable): Mention[] {
  const narrowed = mentions.map((mention) => narrow(mention, mentions, code));
  const classes = narrowed.filter(
    ({ entity, score }) => entity.kind === 'symbol' && score >= MIN_CLASS_SCORE,
  );
  const joined = classes.flatMap((container) => joinMember(text, container, code) ?? []);
  return [...joined, ...narrowed.filter((mention) => !joined.some((member) => overlaps(member, mention)))];
}

/** Finds a word beside a class that is one of its members. */
function joinMember(text: string, container: Mention, code: CodeTable): Mention | null {
  if (container.entity.kind !== 'symbol') return null;
  const [from, to] = container.span;
  for (const match of text.matchAll(WORD)) {
    const [at, end] = [match.index, match.index + match[0].length];
    if (at < to && from < end) continue;
    const between = end <= from ? text.slice(end, from) : text.slice(to, at);
    const isNear = CODE_LIKE.test(match[0]) ? !/[.;!]\s/.test(between) : CONNECTORS.test(between);
    if (between.length > MAX_DISTANCE || !isNear) continue;
    const entity = memberOf(container.entity.name, match[0], code);
    if (entity)
      return { entity, span: [Math.min(from, at), Math.max(to, end)], score: MEMBER_SCORE, alternatives: [] };
  }
  return null;
}

/** The member of a class; of a class whose full name is unknown, by the end of it. */
function memberOf(container: string, name: string, code: CodeTable): SymbolEntity | null {
  const member = `${container}.${name}`;
  const exact = code.passagesDefining(member);
  const suffix = `.${member.toLowerCase()}`;
  const passages =
    exact.length > 0
      ? exact
      : code
          .passagesDefining(name)
          .filter((passage) => code.passageSymbol(passage)?.toLowerCase().endsWith(suffix));
  if (passages.length === 0) return null;
  const full = code.passageSymbol(passages[0]!);
  const isOwn = full?.toLowerCase().endsWith(member.toLowerCase()) ?? false;
  return { kind: 'symbol', name: isOwn ? full! : member, passages };
}

function narrow(mention: Mention, mentions: Mention[], code: CodeTable): Mention {
  const { entity } = mention;
  if (entity.kind !== 'symbol') return mention;
  for (const other of mentions) {
    if (other === mention || other.score < MIN_CLASS_SCORE || isSame(other.entity, entity)) continue;
    const inside = entity.passages.filter((passage) => isInside(passage, other.entity, code));
    if (inside.length === 0 || inside.length === entity.passages.length) continue;
    const name = code.passageSymbol(inside[0]!);
    const last = entity.name.slice(entity.name.lastIndexOf('.') + 1).toLowerCase();
    const full = name?.toLowerCase().endsWith(last) ? name : entity.name;
    return { ...mention, entity: { kind: 'symbol', name: full, passages: inside }, alternatives: [] };
  }
  return mention;
}

function isSame(a: Entity, b: Entity): boolean {
  return a.kind === 'symbol' && b.kind === 'symbol' && a.name === b.name;
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

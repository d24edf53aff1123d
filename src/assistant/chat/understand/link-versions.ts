import type { ToolContext } from '../../tools/tool.ts';
import type { Entity, Mention, RangeEnd } from './entities.ts';
import { type DatePeriod, parseDates } from './parse-dates.ts';
import {
  findVersions,
  listVersionTags,
  previousVersion,
  type VersionTag,
  type VersionTags,
} from './version-tags.ts';

/** `v2.3.0`, `2.3`, `rel_2_1_0b2`, `gson-parent-2.13.2`, `2.0.0-rc.1`. */
const WRITTEN_VERSION =
  /(?<![\p{L}\p{N}_/-]|(?<!\.)\.)(?:[\p{L}][\p{L}\p{N}_/-]*?[-_/@]?)?\d{1,8}(?:[._]\d{1,8}){0,4}(?:[-._]?(?:a|alpha|b|beta|rc|pre|dev|m|snapshot|preview)[-._]?\d{0,4})?(?![\p{L}\p{N}_/-]|\.\p{L}|\.\d)/giu;
/** Words before a version that make it certain, in four languages. */
const VERSION_WORD =
  /\b(?:versions?|release[sd]?|tag(?:ged)?s?|versi[oó]n(?:es)?|versionen|lanzamientos?|v)[ :]?$/i;
/** Names before a number that is the version of something else. */
export const OTHER_PROGRAM =
  /\b(?:python|py|cpython|pypy|node(?:\.?js)?|deno|bun|java|jdk|jre|php|ruby|go|golang|rust|rustc|gcc|clang|c\+\+|http|https|tls|ssl|ipv?|utf|es|ecmascript|openssl|android|windows|macos|ubuntu|debian|unicode|pep|rfc|jsr|postgres(?:ql)?|mysql|sqlite|npm|pip|maven|gradle|cmake|swift|kotlin|scala|typescript|jquery|chrome|firefox|safari|curl|linux|openjdk|docker|issue|pr|#)[ /-]?v?$/i;
const MENTION_SCORE = { certain: 0.98, likely: 0.9, number: 0.6 };
/** Two versions of a question without words that join them. */
const UNJOINED_SCORE = 0.85;
/** `3.1.x` */
const SERIES = /(?<![\p{L}\p{N}_.])v?(\d{1,4}(?:\.\d{1,4}){0,2})\.x(?![\p{L}\p{N}_])/giu;

/** Words between the ends of a range, and words before it that `and` needs. */
const TO =
  /^\s*(?:\.{2,3}|[-–—]+>?|=>|→|…|to|until|till|til|up to|through|thru|vs\.?|versus|(?:and|as|when)? ?(?:compared|relative) (?:to|with)|than(?: in)?|over|against|hasta|a|al|respecto (?:a|de)|frente a|que en|à|a|jusqu['’]?(?:à|a|en)|par rapport à|que dans|bis(?: zu[rm]?| nach)?|auf|zu|nach|gegenüber|als in|,|\/)?\s*(?:the |la |el |le |der |die |zur |zum |einschließlich )?(?:version|versión|release|tag|v)?\s*$/i;
const AND =
  /^\s*(?:and|y|e|et|und|&)\s+(?:in |the |la |el |le |der |die )?(?:version|versión|release|tag)?\s*$/i;
const BETWEEN = /(?:between|entre|zwischen|both|diff(?:erences?)?)\s+(?:[\p{L}]+\s+){0,3}$/iu;
const MAX_GAP = 45;

const SINCE =
  /(?:\bsince|\bafter|\bfrom|\bpost|newer than|later than|\bdesde|después de|a partir de|depuis|après|à partir de|\bdès|\bseit|\bnach|\bab)\s+(?:the |la |el |le |les |l['’]|der |dem |den |die |das )?(?:(?:beginning|start|anfang|début|principios|inicio)s? (?:of |de |du )?)?(?:version |versión |release |tag )?$/iu;
const UNTIL =
  /(?:\bbefore|\bprior to|\buntil|\bpre|older than|\bbis|\bvor|\bavant|jusqu['’]?(?:à|a|en)|\bhasta|antes de)[ -]\s*(?:the |la |el |le |l['’]|der |dem |den |die |das )?(?:version |versión |release |tag )?$/iu;
const IN =
  /(?:\bin|\bwith|\bfor|\bof|\binto|\bby|\ben|\bcon|\bde|\bdans|\bpour|\bavec|\bim|\bmit|\bfür|\bzur?|\bder|\bvon)\s+(?:the |la |el |le |der |dem |die )?(?:version |versión |release |tag )?$/iu;
const RELEASE_AFTER = /^\s*(?:release|version|versión|-release)/i;

const LAST_RELEASE =
  /\b(?:(?<last>last|latest|newest|most recent|current|letzte[nrms]?|neueste[nrms]?|aktuelle[nrms]?|jüngste[nrms]?|última|último|ultima|ultimo|dernière|dernier|derniere)|(?<previous>previous|vorige[nrms]?|vorherige[nrms]?|anterior|précédente)) (?:stable |released |final )?(?:release|version|versión|tag|lanzamiento|veröffentlichung|sortie)\b|\b(?:versión|release|lanzamiento|version) (?<after>anterior|précédente|más reciente)/iu;

/** Links tags, versions, ranges of them, dates and periods. */
export async function linkVersions(text: string, context: ToolContext): Promise<Mention[]> {
  const tags = await listVersionTags(context);
  const points = [...findVersionPoints(text, tags), ...lastRelease(text, tags, context)];
  const dates = parseDates(text, context.now).map((date): Point => ({ ...date, kind: 'date', date }));
  const free = dates.filter(({ span }) => !points.some((point) => overlaps(point.span, span)));
  const all = [...points, ...free].sort((a, b) => a.span[0] - b.span[0]);
  return [...linkPoints(all, text, tags, context), ...linkSeries(text, tags)];
}

/** Links `3.1.x` to the range of its versions. */
function linkSeries(text: string, tags: VersionTags): Mention[] {
  return Array.from(text.matchAll(SERIES)).flatMap((match): Mention[] => {
    const numbers = match[1]!.split('.').map(Number);
    const versions = tags.versions.filter(
      (version) =>
        version.prefix === tags.mainPrefix && numbers.every((number, i) => version.numbers[i] === number),
    );
    const [first, last] = [versions[0], versions.at(-1)];
    if (!first || !last) return [];
    const before = previousVersion(first, tags);
    const from: RangeEnd = before ? toEnd(before) : { label: '', oid: null, time: 0 };
    return [
      {
        entity: { kind: 'range', from, to: toEnd(last) },
        span: spanOf(match),
        score: 0.85,
        alternatives: [],
      },
    ];
  });
}

/** Something of the question that stands for a point or period of the history. */
type Point = { span: [number, number]; score: number } & (
  | { kind: 'version'; versions: VersionTag[] }
  | { kind: 'date'; date: DatePeriod }
);

function findVersionPoints(text: string, tags: VersionTags): Point[] {
  return Array.from(text.matchAll(WRITTEN_VERSION)).flatMap((match): Point[] => {
    const [written] = match;
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    if (OTHER_PROGRAM.test(before) || (/^\d+%?$/.test(written) && !VERSION_WORD.test(before))) return [];
    const versions = findVersions(written, tags);
    if (versions.length === 0) return [];
    const isNamed = tags.byName.has(written.toLowerCase()) && /\p{L}/u.test(written);
    const isVersion =
      isNamed ||
      /^v\d/i.test(written) ||
      VERSION_WORD.test(before) ||
      (written.match(/[._]/g)?.length ?? 0) >= 2;
    const hasPreposition =
      SINCE.test(before) || UNTIL.test(before) || IN.test(before) || BETWEEN.test(before);
    const score = isVersion
      ? MENTION_SCORE.certain
      : hasPreposition
        ? MENTION_SCORE.likely
        : MENTION_SCORE.number;
    return [{ kind: 'version', versions, span: spanOf(match), score }];
  });
}

/** Points for `the last release` and `the previous version`. */
function lastRelease(text: string, { versions, mainPrefix }: VersionTags, { now }: ToolContext): Point[] {
  const match = LAST_RELEASE.exec(text);
  if (!match) return [];
  const finals = versions
    .filter(({ prefix, preRelease, time }) => prefix === mainPrefix && preRelease === '' && time <= now)
    .sort((a, b) => a.time - b.time);
  const isPrevious = match.groups!.previous ?? /anterior|précédente/i.test(match.groups!.after ?? '');
  const found = finals.at(isPrevious ? -2 : -1);
  return found ? [{ kind: 'version', versions: [found], span: spanOf(match), score: 0.9 }] : [];
}

/** Combines neighboring points to ranges; single ones become a range by the word before them. */
function linkPoints(points: Point[], text: string, tags: VersionTags, context: ToolContext): Mention[] {
  const mentions: Mention[] = [];
  for (let i = 0; i < points.length; i++) {
    const [point, next] = [points[i]!, points[i + 1]];
    if (next && isRange(point, next, text)) {
      mentions.push(rangeMention(point, next));
      i++;
    } else {
      mentions.push(singleMention(point, text, tags, context));
    }
  }
  const versions = points.filter(({ kind }) => kind === 'version');
  const isUnjoined = points.length === 2 && versions.length === 2 && mentions.length === 2;
  if (!isUnjoined) return withoutRangeEnds(mentions);
  const joined = rangeMention(points[0]!, points[1]!);
  return [{ ...joined, score: UNJOINED_SCORE, alternatives: mentions.map(({ entity }) => entity) }];
}

/** Leaves out versions that are the ends of a range of the question. */
function withoutRangeEnds(mentions: Mention[]): Mention[] {
  const ends = mentions.flatMap(({ entity, alternatives }) =>
    entity.kind === 'range' && alternatives.length === 0 ? [entity.from.label, entity.to.label] : [],
  );
  return mentions.filter(({ entity, alternatives }) => {
    const version = [entity, ...alternatives].find(({ kind }) => kind === 'version');
    return version?.kind !== 'version' || !ends.includes(version.tag);
  });
}

function isRange(from: Point, to: Point, text: string): boolean {
  const gap = text.slice(from.span[1], to.span[0]);
  if (gap.length > MAX_GAP || (from.kind === 'date' && from.date.untilNow)) return false;
  if (TO.test(gap)) return gap.trim() !== '' || /\s/.test(gap);
  return (
    AND.test(gap) &&
    (BETWEEN.test(text.slice(Math.max(0, from.span[0] - 40), from.span[0])) || from.kind === to.kind)
  );
}

/** The range between two points, the earlier one first. */
function rangeMention(a: Point, b: Point): Mention {
  const [from, to] = startOf(a).time <= endOf(b).time ? [startOf(a), endOf(b)] : [startOf(b), endOf(a)];
  return {
    entity: { kind: 'range', from, to },
    span: [a.span[0], b.span[1]],
    score: Math.min(1, Math.max(a.score, b.score) + 0.02),
    alternatives: [],
  };
}

function singleMention(point: Point, text: string, tags: VersionTags, { index, now }: ToolContext): Mention {
  const before = text.slice(Math.max(0, point.span[0] - 30), point.span[0]);
  const head: RangeEnd = { label: 'HEAD', oid: index.revision, time: now };
  const beginning: RangeEnd = { label: '', oid: null, time: 0 };
  const mention = (entity: Entity, alternatives: Entity[] = []): Mention => {
    const signal = SINCE.exec(before) ?? UNTIL.exec(before);
    const from = signal ? point.span[0] - signal[0].length : point.span[0];
    return { entity, span: [from, point.span[1]], score: point.score, alternatives };
  };
  if (point.kind === 'date' && point.date.untilNow)
    return mention({ kind: 'range', from: startOf(point), to: { ...head, oid: null } });
  if (SINCE.test(before)) {
    const from = /(?:after|después de|après|nach)\s+\S*\s*$/i.test(before) ? endOf(point) : startOf(point);
    return mention({ kind: 'range', from, to: head });
  }
  if (UNTIL.test(before)) {
    const to = /(?:before|prior to|pre|older than|vor|avant|antes de)[ -]\s*/i.test(before)
      ? startOf(point)
      : endOf(point);
    return mention({ kind: 'range', from: beginning, to });
  }
  if (point.kind === 'date') return mention({ kind: 'range', from: startOf(point), to: endOf(point) });
  const [version, ...others] = point.versions as [VersionTag];
  const since = previousVersion(version, tags);
  const release: Entity = {
    kind: 'range',
    from: since ? toEnd(since) : beginning,
    to: toEnd(version),
  };
  const alternatives = others.map(toEntity);
  const isRelease = IN.test(before) || RELEASE_AFTER.test(text.slice(point.span[1]));
  if (isRelease) return mention(release, [toEntity(version), ...alternatives]);
  return mention(toEntity(version), [release, ...alternatives]);
}

function toEntity({ tag, oid, time }: VersionTag): Entity {
  return { kind: 'version', tag, oid, time };
}

function toEnd({ tag, oid, time }: VersionTag): RangeEnd {
  return { label: tag, oid, time };
}

function startOf(point: Point): RangeEnd {
  if (point.kind === 'version') return toEnd(point.versions[0]!);
  return { label: point.date.label, oid: null, time: point.date.start };
}

function endOf(point: Point): RangeEnd {
  if (point.kind === 'version') return toEnd(point.versions[0]!);
  return { label: point.date.label, oid: null, time: point.date.end };
}

function spanOf(match: RegExpExecArray): [number, number] {
  return [match.index, match.index + match[0].length];
}

function overlaps(a: [number, number], b: [number, number]): boolean {
  return a[0] < b[1] && b[0] < a[1];
}

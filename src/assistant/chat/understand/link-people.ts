import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { wordTerms } from '#memory/tokens.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { isDeveloperWord } from './developer-words.ts';
import type { Entity, Mention } from './entities.ts';
import { isStopWord } from './topic-words.ts';

/** An author of commits under one name or several, joined by their emails. */
interface Person {
  /** Name of most commits. */
  name: string;
  names: Set<string>;
  emails: string[];
  commits: number;
}

type Names = ReadonlyMap<string, readonly Person[]>;

const WORD = /@?[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]*/gu;
const MAX_NAME_WORDS = 5;
const MAX_ALTERNATIVES = 4;
const FULL_SCORE = 0.97;
const LOGIN_SCORE = 0.9;
const PART_SCORE = 0.72;
const AMBIGUOUS_SCORE = 0.6;
/** Files that may mention a person, such as a change log. */
const MAX_FILES_WITH_NAME = 2;
const SHARED_MAIL =
  /^(?:noreply|no-reply|root|git|github|info|mail|admin|user|you|none|me|hello|contact|dev|bot)$/i;
/** Names of people that are also words of questions. */
const COMMON_NAME =
  /^(?:january|jan|february|feb|march|mar|apr|jun|july|jul|august|aug|september|sep|sept|october|oct|november|nov|december|dec|will|mark|grant|max|may|april|june|art|bill|chase|chip|chris|code|core|dash|dev|drew|faith|frank|gene|grace|guy|hope|hunter|iris|jack|joy|lance|link|long|may|mercury|miles|nick|pat|rich|rob|robin|rock|rose|ruby|rust|sandy|sky|stone|sunny|van|wade|web|young|test|user|admin|root|github|actions|bot|dependabot|python|java|go|http|json|api|max|min|new|old|first|last|null|none|key|page|field|forge|fox|wolf|king|green|brown|white|black|gray|day|summer|winter|case|price|park|hill|lake|wood|woods|bell|ball|ford|lane|love|small|short|strong|sharp|swift|power|powers|reading|read|write|banks|bush|cook|mason|parser|carpenter|baker|smith|hall|young|snow|rain|gates|page|root|sql|oracle|docker|travis|circle|jenkins|master|main|release|version)$/i;

/** Links people by their full name, first or last name, or login. */
export function linkPeople(text: string, { index }: Pick<ToolContext, 'index'>): Mention[] {
  const people = peopleOf(index);
  const words = Array.from(text.matchAll(WORD), (match) => ({
    text: match[0].replace(/(?:['’]s?|[.,-])+$/, ''),
    at: match.index,
  }));
  const mentions: Mention[] = [];
  for (let from = 0; from < words.length; ) {
    const mention =
      fullNameAt(from, words, text, people.full) ??
      withoutOtherName(singleNameAt(from, words, people, index), words[from + 1], text);
    if (mention) mentions.push(mention);
    while (from < words.length && words[from]!.at < (mention?.span[1] ?? 0)) from++;
    if (!mention) from++;
  }
  return mentions;
}

/** True for names that are no words of the code or its comments, so that a small initial is enough. */
function isRareInCode(name: string, { code }: RepositoryIndex): boolean {
  const [term] = wordTerms(name);
  return (code ? documentFrequency(code.files, term ?? name) : 0) <= MAX_FILES_WITH_NAME;
}

interface Word {
  text: string;
  at: number;
}

function fullNameAt(from: number, words: Word[], text: string, full: Names): Mention | null {
  const first = words[from]!;
  for (let to = Math.min(words.length, from + MAX_NAME_WORDS) - 1; to > from; to--) {
    const end = words[to]!.at + words[to]!.text.length;
    const people = full.get(normalizeName(text.slice(first.at, end)));
    if (people) return toMention(people, [first.at, end], FULL_SCORE);
  }
  return null;
}

function singleNameAt(
  from: number,
  words: Word[],
  { parts, logins }: Record<'parts' | 'logins', Names>,
  index: RepositoryIndex,
): Mention | null {
  const word = words[from]!;
  const name = normalizeName(word.text);
  const span: [number, number] = [word.at, word.at + word.text.length];
  if (word.text.startsWith('@')) {
    const people = logins.get(name) ?? parts.get(name);
    return people ? toMention(people, span, FULL_SCORE) : null;
  }
  if (name.length < 3 || isStopWord(name) || COMMON_NAME.test(name)) return null;
  const isCapitalized = /^\p{Lu}\p{Ll}/u.test(word.text) && from > 0;
  const byLogin = logins.get(name);
  const byPart = parts.get(name);
  const all = [...new Set([...(byPart ?? []), ...(byLogin ?? [])])].sort((a, b) => b.commits - a.commits);
  if (isCapitalized && all.length > 1) return toMention(all, span, AMBIGUOUS_SCORE);
  const isLogin = name.length >= 4 && !isDeveloperWord(name) && isRareInCode(name, index);
  if (byLogin && (isCapitalized || isLogin))
    return toMention(byLogin, span, isCapitalized ? LOGIN_SCORE : 0.8);
  if (!byPart || !isCapitalized) return null;
  return toMention(byPart, span, PART_SCORE);
}

/** Null for a first name before a last name that no author has: another person is meant. */
function withoutOtherName(mention: Mention | null, next: Word | undefined, text: string): Mention | null {
  if (!mention || next === undefined || !/^\p{Lu}\p{Ll}+$/u.test(next.text) || text[mention.span[1]] !== ' ')
    return mention;
  const isOwn = [mention.entity, ...mention.alternatives].some(
    (entity) =>
      entity.kind === 'person' && normalizeName(entity.name).split(' ').includes(normalizeName(next.text)),
  );
  return isOwn || next.at !== mention.span[1] + 1 ? mention : null;
}

function toMention(people: readonly Person[], span: [number, number], score: number): Mention {
  const [first, ...others] = people.map(({ name, emails }): Entity => ({ kind: 'person', name, emails }));
  return { entity: first!, span, score, alternatives: others.slice(0, MAX_ALTERNATIVES) };
}

/** People of an index by full name, by first and last name, and by login; those with most commits first. */
const peopleOf = memoizeByIdentity((index: RepositoryIndex): Record<'full' | 'parts' | 'logins', Names> => {
  const people = collectPeople(index).sort((a, b) => b.commits - a.commits);
  const [full, parts, logins] = [
    new Map<string, Person[]>(),
    new Map<string, Person[]>(),
    new Map<string, Person[]>(),
  ];
  for (const person of people) {
    for (const name of person.names) {
      const words = normalizeName(name).split(' ').filter(Boolean);
      if (words.length === 1) add(logins, words[0]!, person);
      else add(full, words.join(' '), person);
      if (words.length > 1) for (const word of [words[0]!, words.at(-1)!]) add(parts, word, person);
    }
    for (const email of person.emails) add(logins, loginOf(email), person);
  }
  return { full, parts, logins };
});

function add(map: Map<string, Person[]>, name: string, person: Person): void {
  if (name.length < 2) return;
  const known = map.get(name);
  if (!known) map.set(name, [person]);
  else if (!known.includes(person)) known.push(person);
}

/** Authors by name, joined when they share an email. */
function collectPeople({ commits }: RepositoryIndex): Person[] {
  const counts = new Map<string, number>();
  for (let commit = 0; commit < commits.count; commit++) {
    const key = `${commits.author(commit)}\n${commits.email(commit)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const byName = new Map<string, Person>();
  const byEmail = new Map<string, Person>();
  const people: Person[] = [];
  for (const [key, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    const [name = '', email = ''] = key.split('\n');
    const isPersonal = email !== '' && !SHARED_MAIL.test(email.split('@')[0]!);
    let person =
      byName.get(normalizeName(name)) ?? (isPersonal ? byEmail.get(email.toLowerCase()) : undefined);
    if (!person) {
      person = { name, names: new Set(), emails: [], commits: 0 };
      people.push(person);
    }
    person.names.add(name);
    if (email !== '' && !person.emails.includes(email)) person.emails.push(email);
    person.commits += count;
    byName.set(normalizeName(name), person);
    if (isPersonal) byEmail.set(email.toLowerCase(), person);
  }
  return people;
}

/** `login` of `123+login@users.noreply.github.com`; empty for shared mailboxes. */
function loginOf(email: string): string {
  const local = normalizeName(email.split('@')[0]!.replace(/^\d+\+/, ''));
  return SHARED_MAIL.test(local) ? '' : local;
}

/** Lower case without accents. */
function normalizeName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

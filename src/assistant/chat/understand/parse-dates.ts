/** A date or period of a question: from the start to the end, in seconds since 1970. */
export interface DatePeriod {
  span: [number, number];
  start: number;
  end: number;
  /** As written in answers: `2026-06`. */
  label: string;
  /** True for a period that ends now, such as `last 2 weeks` or `3 days ago`. */
  untilNow: boolean;
  /** Certainty, 0 to 1. */
  score: number;
}

const DAY = 86_400;
const MONTH_NAMES = [
  'january jan enero ene janvier januar jänner',
  'february feb febrero février fevrier fév februar',
  'march mar marzo mars märz maerz mär',
  'april apr abril abr avril avr',
  'may mayo mai',
  'june jun junio juin juni',
  'july jul julio juillet juli',
  'august aug agosto ago août aout',
  'september sept sep septiembre setiembre septembre',
  'october oct octubre octobre oktober okt',
  'november nov noviembre novembre',
  'december dec diciembre dic décembre decembre déc dezember dez',
];
const MONTHS = new Map(MONTH_NAMES.flatMap((names, month) => names.split(' ').map((name) => [name, month])));
const MONTH = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join('|');
/** Month names that are also other words. */
const AMBIGUOUS_MONTH =
  /^(?:may|march|mar|mars|ago|mai|ene|dec|jan|sep|oct|apr|jun|jul|abr|avr|dic|dez|okt)$/i;

const UNIT_NAMES: [number, string][] = [
  [1 / 24, 'hours? horas? heures? stunden?'],
  [1, 'days? días? dias? jours? tage?n?'],
  [7, 'weeks? semanas? semaines? wochen?'],
  [30.4, 'months? mes(?:es)? mois monate?n?s?'],
  [91.3, 'quarters? trimestres? quartale?n?'],
  [365.25, 'years? años? anos? ans? années? annees? jahre?n?s?'],
];
const UNIT = UNIT_NAMES.map(([, names]) => names.replaceAll(' ', '|')).join('|');
const COUNT_WORDS: [number, string][] = [
  [1, 'a|an|one|un|una|uno|une|einem|einer|eines|ein|eine'],
  [2, 'two|dos|deux|zwei|couple of|par de|paar'],
  [3, 'three|few|tres|trois|drei|pocos|pocas|quelques|wenigen|einigen'],
  [4, 'four|cuatro|quatre|vier'],
  [5, 'five|cinco|cinq|fünf'],
  [6, 'six|seis|sechs|half a|medio'],
  [10, 'ten|diez|dix|zehn'],
];
const COUNT = `\\d{1,4}|${COUNT_WORDS.map(([, words]) => words).join('|')}`;
const NOT_LETTER = '(?<![\\p{L}\\p{N}_.])';
const END = '(?![\\p{L}\\p{N}_])';

const pattern = (body: string) => new RegExp(`${NOT_LETTER}(?:${body})${END}`, 'giu');

const ISO_DATE = pattern('(?<y>(?:19|20)\\d\\d)[-/](?<m>\\d{1,2})(?:[-/](?<d>\\d{1,2}))?(?![-/]\\d)');
const DAY_FIRST = pattern('(?<d>\\d{1,2})[./](?<m>\\d{1,2})[./](?<y>(?:19|20)\\d\\d)');
const MONTH_DATE = pattern(
  `(?:(?<d>\\d{1,2})(?:st|nd|rd|th|\\.|er|º)? (?:de |of )?)?(?<month>${MONTH})\\.?(?: (?<d2>\\d{1,2})(?:st|nd|rd|th)?(?!\\d),?)?(?:,? (?:de |del |of |von )?(?<y>(?:19|20)\\d\\d))?`,
);
const YEAR = pattern('(?<y>(?:19[89]|20[0-4])\\d)(?![.\\-/_]\\d)');
const AGO = pattern(
  `(?<count>${COUNT}) (?<unit>${UNIT}) (?:ago|back|atrás)|(?:hace|il y a|vor) (?<count2>${COUNT}) (?<unit2>${UNIT})`,
);
const LAST = pattern(
  `(?:last|past|previous|letzten?|letzter|letztes|letztem|vergangenen?|vergangener|vergangenes|últimos?|últimas?|ultimos?|ultimas?|derniers?|dernières?)(?: (?<count>${COUNT}))?(?: (?:derniers?|dernières?))? (?!an\\b)(?<unit>${UNIT})|(?:(?<count2>${COUNT}|le|la|l['’]|el|les) ?)?(?<unit2>${UNIT}) (?:derniers?|dernière?s?|pasad[oa]s?|passé[es]*)`,
);
/** `today` alone mostly means now. */
const THIS = pattern(
  `(?:this|current|diese[snrm]?|este|esta|cette?|ce) (?<unit>${UNIT})|(?:since|seit|desde|depuis) (?<day>today|heute|hoy|aujourd['’]hui|hier)|(?<day2>yesterday|gestern|ayer)`,
);

/** Finds the dates and periods in a text, in four languages. Without a year, a month is the latest one that has begun. */
export function parseDates(text: string, now: number): DatePeriod[] {
  const found: DatePeriod[] = [];
  const add = (match: RegExpExecArray, period: Omit<DatePeriod, 'span'> | null) => {
    const span: [number, number] = [match.index, match.index + match[0].trimEnd().length];
    if (period && !found.some((other) => other.span[0] < span[1] && span[0] < other.span[1]))
      found.push({ span, ...period });
  };
  for (const match of text.matchAll(ISO_DATE)) add(match, datePeriod(match.groups!, 1));
  for (const match of text.matchAll(DAY_FIRST)) add(match, datePeriod(match.groups!, 0.95));
  for (const match of text.matchAll(MONTH_DATE)) add(match, monthPeriod(match, text, now));
  for (const match of text.matchAll(AGO)) add(match, relativePeriod(match.groups!, now));
  for (const match of text.matchAll(LAST)) add(match, relativePeriod(match.groups!, now));
  for (const match of text.matchAll(THIS)) add(match, currentPeriod(match.groups!, now));
  for (const match of text.matchAll(YEAR)) add(match, yearPeriod(match.groups!.y!, now));
  return found.sort((a, b) => a.span[0] - b.span[0]);
}

type Groups = Record<string, string | undefined>;

function datePeriod({ y, m, d }: Groups, score: number): Omit<DatePeriod, 'span'> | null {
  const [year, month] = [Number(y), Number(m) - 1];
  if (month < 0 || month > 11 || Number(d ?? 1) > 31) return null;
  return calendarPeriod(year, month, d === undefined ? null : Number(d), score);
}

function calendarPeriod(
  year: number,
  month: number,
  day: number | null,
  score: number,
): Omit<DatePeriod, 'span'> {
  const start = Date.UTC(year, month, day ?? 1) / 1000;
  const end = (day === null ? Date.UTC(year, month + 1) : Date.UTC(year, month, day + 1)) / 1000;
  const label = new Date(start * 1000).toISOString().slice(0, day === null ? 7 : 10);
  return { start, end, label, untilNow: false, score };
}

function monthPeriod(match: RegExpExecArray, text: string, now: number): Omit<DatePeriod, 'span'> | null {
  const { month: name, d, d2, y } = match.groups!;
  const month = MONTHS.get(name!.toLowerCase())!;
  const day = d ?? d2;
  const end = y === undefined ? YEAR_OF_RANGE.exec(text.slice(match.index + match[0].length)) : null;
  if (y === undefined && day === undefined && end === null) {
    if (AMBIGUOUS_MONTH.test(name!) && !isDatedBefore(text, match.index, name!)) return null;
    if (!isDatedBefore(text, match.index, name!) && !/^\p{Lu}/u.test(name!)) return null;
  }
  const today = new Date(now * 1000);
  const latest = today.getUTCFullYear() - Number(month > today.getUTCMonth());
  const ofEnd = end && Number(end.groups!.y) - Number(month > MONTHS.get(end.groups!.month!.toLowerCase())!);
  const year = y === undefined ? (ofEnd ?? latest) : Number(y);
  return calendarPeriod(year, month, day === undefined ? null : Number(day), y === undefined ? 0.85 : 1);
}

/** The end of a range, whose year the beginning shares: `(January) and June 2016`. */
const YEAR_OF_RANGE = new RegExp(
  `^\\s*(?:and|to|until|till?|through|[–-]|y|a|hasta|et|à|und|bis)\\s+(?:\\d{1,2}\\.?\\s+(?:de )?)?(?<month>${MONTH})\\.?(?: \\d{1,2},?)?,? (?:de |del |of )?(?<y>(?:19|20)\\d\\d)(?!\\d)`,
  'iu',
);

/** A preposition of time before a month: `since March`, not `may`. */
const BEFORE_MONTH =
  /(?:since|in|before|after|until|from|during|desde|en|antes de|después de|depuis|avant|après|seit|im|vor|nach|ab|bis) $/i;

function isDatedBefore(text: string, at: number, name: string): boolean {
  return (
    BEFORE_MONTH.test(text.slice(Math.max(0, at - 12), at)) && (/^\p{Lu}/u.test(name) || name.length > 3)
  );
}

function relativePeriod(groups: Groups, now: number): Omit<DatePeriod, 'span'> {
  const count = parseCount(groups.count ?? groups.count2);
  const days = count * unitDays((groups.unit ?? groups.unit2)!);
  const start = now - days * DAY;
  return { start, end: now, label: isoDay(start), untilNow: true, score: 0.95 };
}

function currentPeriod(groups: Groups, now: number): Omit<DatePeriod, 'span'> {
  const [unit, day] = [groups.unit, groups.day ?? groups.day2];
  const today = new Date(now * 1000);
  const [year, month, date] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const at = (milliseconds: number) => {
    const start = milliseconds / 1000;
    return { start, end: now, label: isoDay(start), untilNow: true, score: 0.9 };
  };
  if (day !== undefined)
    return at(Date.UTC(year, month, date - Number(/^(?:yesterday|gestern|ayer|hier)$/i.test(day))));
  const days = unitDays(unit!);
  if (days > 300) return at(Date.UTC(year, 0));
  if (days > 90) return at(Date.UTC(year, month - (month % 3)));
  if (days > 30) return at(Date.UTC(year, month));
  return at(Date.UTC(year, month, date - (days === 7 ? (today.getUTCDay() + 6) % 7 : 0)));
}

function yearPeriod(text: string, now: number): Omit<DatePeriod, 'span'> | null {
  const year = Number(text);
  if (year > new Date(now * 1000).getUTCFullYear()) return null;
  const [start, end] = [Date.UTC(year, 0) / 1000, Date.UTC(year + 1, 0) / 1000];
  return { start, end, label: text, untilNow: false, score: 0.8 };
}

function parseCount(text: string | undefined): number {
  if (text === undefined) return 1;
  if (/^\d/.test(text)) return Number(text);
  const lower = text.toLowerCase();
  return COUNT_WORDS.find(([, words]) => words.split('|').includes(lower))?.[0] ?? 1;
}

function unitDays(text: string): number {
  const found = UNIT_NAMES.find(([, names]) =>
    new RegExp(`^(?:${names.replaceAll(' ', '|')})$`, 'iu').test(text),
  );
  return found?.[0] ?? 1;
}

function isoDay(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 10);
}

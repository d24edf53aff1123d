import { lowerBound } from '#memory/bytes/binary-search.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { lastPart } from '../understand/name-patterns.ts';
import { findTopicCommits } from '../understand/topic-commits.ts';
import { coverage, type TopicWord } from '../understand/topic-words.ts';
import { fileStem, isTestPath, SETTINGS_TEMPLATE, TEST_WORDS, TRANSLATIONS } from './path-kinds.ts';
import { measureTexts } from './place-text.ts';
import type { TopicCandidate } from './topic-candidates.ts';
import type { TopicMatcher } from './topic-matcher.ts';

/** Kinds of files by their paths. */
const KINDS = {
  migration: /(?:^|\/)(?:old_)?migrations?\/|(?:^|\/)db\/(?:migrate|schema)/i,
  style: /\.(?:css|scss|sass|less|styl)$/i,
  markup:
    /\.(?:html?|vue|svelte|twig|erb|haml|slim|jinja2?|hbs|handlebars|mustache|ejs|blade\.php|tmpl|gohtml|jsx|tsx)$|(?:^|\/)(?:templates?|views?)\/[^/]*\.php$/i,
  settings:
    /(?:^|[/._-])(?:settings?|config(?:uration)?|constants|defaults?|options?|env|params|parameters)(?:[._/-]|$)/i,
  client: /(?:^|\/)(?:frontend|client|web|ui|assets|static|public|resources\/(?:js|assets))\//i,
  readme: /(?:^|\/)readme[^/]*$/i,
  contributing:
    /(?:^|\/)(?:CONTRIBUTING|AGENTS|CLAUDE|GEMINI|CODE[-_]OF[-_]CONDUCT|SECURITY|RELEAS(?:E|ING)[-_\w]*|HACKING|DEVELOP\w*|MAINTAIN\w*|REVIEW\w*)\.\w+$|(?:^|\/)\.(?:github|gitlab|claude|cursor)\/|(?:^|\/)adrs?\//i,
  generated:
    /(?:^|\/)(?:vendors?|libs|third[-_]party|generated|dist|fixtures?|factories|seeds?|testdata)\/|\.min\.(?:js|css)$|[._]pb\.|_routes\.js$|\.lock$|-lock\.json$/i,
};

/** Cues of questions for a procedure, a setting, a place and a behaviour, in four languages. */
const HOW_TO =
  /(?<!\p{L})(?:how (?:do|can|would|should|could) (?:i|we|one|you)|can i|how to|i (?:want|would like|need) to|is (?:it|there) (?:possible|a way)|c[oó]mo (?:puedo|se)|comment (?:puis|faire|peut)|wie (?:kann|muss|man))(?!\p{L})/iu;
const SETTING =
  /(?<!\p{L})(?:default|settings?|set|configur\p{L}*|option|environment|variable|env|port|flag|change (?:that|it|this)|enable|disable|turn (?:on|off)|switch (?:on|off)|how (?:long|many|big|large|often|much)|limit|max\p{L}*|min\p{L}*|timeout|ajuste|par defecto|par d[ée]faut|r[ée]glage|einstellung\p{L}*|standardm[äa](?:ß|ss)ig)(?!\p{L})/iu;
const WHERE =
  /(?<!\p{L})(?:where|which (?:file|part|code|function|class|module)s?|what code|d[oó]nde|où|wo)(?!\p{L})/iu;
const WORKS =
  /(?<!\p{L})(?:what happens|how (?:does|is|are|do)|when (?:does|is|are|do)|does|is|are|what does|will|why|qu[eé] (?:pasa|hace)|que se passe|was passiert|warum)(?!\p{L})/iu;

const DEVELOPING =
  /\b(?:contribut|develop|buil[dt]|compil|tests?\b|releas|pull request|patch|branch|style|lint|translat|review|code\b|files?\b|touch|architecture|maintain|security)/i;

/** Properties of a candidate by their names, each about 0 to 1. */
export type PlaceFeatures = Record<string, number>;

/** Measures candidates by the words of a topic in them, by the lists that found them and by what kind of file they are in. */
export function measureTopicCandidates(
  topic: string,
  { candidates, matcher }: { candidates: readonly TopicCandidate[]; matcher: TopicMatcher },
  context: Pick<ToolContext, 'index'>,
): PlaceFeatures[] {
  const covered = coverWords(candidates, matcher, context.index.code!);
  const texts = measureTexts(topic, { candidates, matcher }, context.index.code!);
  const commits = scoreCommitFiles(topic, context);
  const bestFused = Math.max(1e-9, ...candidates.map(({ ranked }) => ranked?.file.score ?? 0));
  const isAbout = [HOW_TO, SETTING, WHERE, WORKS].map((cue) => Number(cue.test(topic)));
  const asksTests = TEST_WORDS.test(topic);
  const asksToDevelop = DEVELOPING.test(topic);
  return candidates.map((candidate, i): PlaceFeatures => {
    const { path, file, placed, excerpt, symbol } = candidate;
    const ranked = excerpt ? null : candidate.ranked;
    const [howTo, setting, where, works] = isAbout as [number, number, number, number];
    const isDocument = Number(excerpt !== null);
    const is = (pattern: RegExp) => Number(pattern.test(path));
    const [template, markup, settings] = [is(SETTINGS_TEMPLATE), is(KINDS.markup), is(KINDS.settings)];
    const signal = (name: string) => ranked?.file.signals[name] ?? 0;
    return {
      isDocument,
      fused: (ranked?.file.score ?? 0) / bestFused,
      fusedRank: ranked ? 1 / (1 + ranked.rank) : 0,
      passage: candidate.passageScore,
      placed: placed?.score ?? 0,
      placedRank: placed ? 1 / (1 + placed.rank) : 0,
      excerpt: excerpt?.score ?? 0,
      excerptRank: excerpt ? 1 / (1 + candidate.excerptRank) : 0,
      excerptTitle: excerpt ? matcher.match(excerpt.title) : 0,
      documentName: excerpt ? matcher.match(path) : 0,
      ...covered[i]!,
      ...texts[i]!,
      symbolFocus: symbol === null ? 0 : focusOf(lastPart(symbol), matcher.words),
      stemFocus: excerpt ? 0 : focusOf(fileStem(path), matcher.words),
      commit: commits.get(file) ?? 0,
      commitMessages: signal('commitMessages'),
      similarCommits: signal('similarCommits'),
      wholeFile: signal('wholeFile'),
      fileSize: signal('fileSize'),
      tests: signal('tests'),
      test: Number(isTestPath(path) && !asksTests),
      askedTest: Number(isTestPath(path) && asksTests),
      translation: is(TRANSLATIONS),
      template,
      markup,
      settings,
      migration: is(KINDS.migration),
      style: is(KINDS.style),
      client: is(KINDS.client),
      readme: is(KINDS.readme),
      contributing: asksToDevelop ? 0 : is(KINDS.contributing),
      generated: is(KINDS.generated),
      howToInDocument: howTo * isDocument,
      behaviourInDocument: works * isDocument,
      placeInDocument: where * isDocument,
      behaviourInMarkup: works * markup,
      settingInSettings: setting * settings,
      settingInTemplate: setting * template,
    };
  });
}

/** Share of a name's parts that are words of the topic. */
function focusOf(name: string, words: readonly TopicWord[]): number {
  const terms = [...new Set(cachedWordTerms(name))];
  const parts = terms.length > 1 ? terms.slice(1) : terms;
  const strengthOf = (part: string) =>
    Math.max(
      0,
      ...words.flatMap(({ variants }) =>
        variants.flatMap((one) => (one.term === part ? [one.strength] : [])),
      ),
    );
  return parts.reduce((sum, part) => sum + strengthOf(part), 0) / Math.max(1, parts.length);
}

/** Share of the topic's information in the comments of each definition, in all of it, and in its file. */
function coverWords(
  candidates: readonly TopicCandidate[],
  { words, weights }: TopicMatcher,
  code: CodeTable,
): PlaceFeatures[] {
  const fields = (['prose', 'body', 'symbol'] as const).map((name) => code.field(name));
  const found = candidates.map(() => {
    return { comment: zeros(words), all: zeros(words), file: zeros(words) };
  });
  for (const [word, { variants }] of words.entries()) {
    for (const { term, strength } of variants) {
      fields.forEach((field, at) => {
        const docs = field.postings(term)?.docs;
        if (!docs) return;
        candidates.forEach(({ passages }, i) => {
          if (!passages.some((passage) => docs[lowerBound(docs, passage)] === passage)) return;
          const { comment, all } = found[i]!;
          all[word] = Math.max(all[word]!, strength);
          if (at === 0) comment[word] = Math.max(comment[word]!, strength);
        });
      });
      const files = code.files.postings(term)?.docs;
      if (!files) continue;
      candidates.forEach(({ file, excerpt }, i) => {
        const values = found[i]!.file;
        if (excerpt === null && files[lowerBound(files, file)] === file)
          values[word] = Math.max(values[word]!, strength);
      });
    }
  }
  return found.map(({ comment, all, file }) => {
    return {
      coverComment: coverage(weights, comment),
      coverAll: coverage(weights, all),
      coverFile: coverage(weights, file),
    };
  });
}

const zeros = (words: readonly TopicWord[]) => new Float64Array(words.length);

const MAX_COMMITS = 8;
const MAX_COMMIT_PATHS = 15;

/** Score of the best commit on the topic by the files that it changed. */
function scoreCommitFiles(topic: string, { index }: Pick<ToolContext, 'index'>): Map<number, number> {
  const { commits, code } = index;
  const scores = new Map<number, number>();
  for (const { commit, score } of findTopicCommits(topic, { index }, { limit: MAX_COMMITS })) {
    const paths = commits.paths(commit);
    if (paths.length > MAX_COMMIT_PATHS) continue;
    for (const path of paths) {
      const file = code!.fileNumber(commits.path(path));
      if (file >= 0) scores.set(file, Math.max(score, scores.get(file) ?? 0));
    }
  }
  return scores;
}

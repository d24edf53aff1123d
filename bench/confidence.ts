import { createWriteStream } from 'node:fs';
import { firstLine } from '../src/contract/first-line.ts';
import { isNonSource } from '../src/evolution/fixes.ts';
import { extractGroundTruth } from '../src/investigate/backtest/ground-truth.ts';
import { causeFeatures } from '../src/investigate/cause-confidence.ts';
import { collectHistory } from '../src/investigate/collect-history.ts';
import { confidenceFeatures, estimateConfidence } from '../src/investigate/confidence.ts';
import { measurePrecedents } from '../src/investigate/fixes/find-precedents.ts';
import { analyzeError } from '../src/investigate/investigate.ts';
import { isForeign as isOtherProgram, matchProject } from '../src/investigate/kind/match-project.ts';
import { reportText } from '../src/investigate/locate/error-report.ts';
import { findFrameOwners } from '../src/investigate/locate/frame-owners.ts';
import { readPackageNames } from '../src/investigate/locate/package-names.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { createFunctionMatcher } from '../src/investigate/suspects/changed-functions.ts';
import { rankSuspects } from '../src/investigate/suspects/rank-suspects.ts';
import {
  calibrationError,
  KINDS,
  type Stated,
  shareRight,
  type TextKind,
  VAGUE_REPORTS,
} from './calibration.ts';
import { readOptions } from './options.ts';
import { type Revisited, revisit } from './revisions.ts';

/**
 * Measures whether the stated probabilities hold: a right file among the first three places, and the culprit as the first
 * suspect:
 *
 *     npm run bench:confidence -- --data FILE… --repositories DIR [--out FILE] [--cache DIR] [--ids FILE]
 *
 * Every instance is asked four times: with its own text, with the first line alone, with a complaint
 * that says nothing, and with the text of another repository's instance, of which nothing can be
 * right. `--out` gets a JSON line each, with whether the answer is declined as another program's, for bench/fit/confidence.ts and bench/fit/findings.ts. Culprits are those of the
 * data, or the commits that blame finds for the lines which the fix deleted.
 */
const options = readOptions(['cache']);
const out = options.out === null ? null : createWriteStream(options.out);
/** Long timeout for diffs, since time is not measured here. */
const TIMEOUT_MS = 600_000;
const casesByKind: Record<TextKind, Stated[]> = { whole: [], title: [], vague: [], foreign: [] };

/** Correct parts of an instance's answer. */
interface Truth {
  files: readonly string[];
  /** Hashes; null where unknown. */
  culprits: readonly string[] | null;
  /** Functions that the fix changed. */
  functions: readonly { path: string; symbol: string }[];
  /** True where the fix is known, and with it its functions. */
  isFixKnown: boolean;
}

for await (const revisited of revisit(options, options.other.cache)) {
  const { instance } = revisited;
  const text = instance.problem_statement;
  const texts: Record<TextKind, string | undefined> = {
    whole: text,
    title: firstLine(text.trim()),
    vague: VAGUE_REPORTS[casesByKind.vague.length % VAGUE_REPORTS.length],
    foreign: foreignErrorTo(instance.repo, casesByKind.whole.length),
  };
  const truth = await findTruth(revisited);
  for (const kind of KINDS)
    if (texts[kind]) casesByKind[kind].push(await ask(revisited, texts[kind], { kind, truth }));
}
out?.end();

console.log(`| asked with | texts | right among three | stated on average | expected calibration error | right among the surest 80 % |
|---|---|---|---|---|---|`);
for (const kind of KINDS) {
  const cases = casesByKind[kind];
  const mean = cases.reduce((sum, { confidence }) => sum + confidence, 0) / (cases.length || 1);
  console.log(
    `| ${kind} | ${cases.length} | ${percent(shareRight(cases))} | ${percent(mean)} | ${calibrationError(cases).toFixed(3)} | ${percent(shareRightOfMostConfident(cases))} |`,
  );
}

async function findTruth({ instance, index, repo }: Revisited): Promise<Truth> {
  const files = instance.gold_files ?? [];
  if (instance.gold_commits)
    return { files, culprits: instance.gold_commits, functions: [], isFixKnown: false };
  if (!instance.fix_commit) return { files, culprits: null, functions: [], isFixKnown: false };
  const { problem_statement: message, fix_commit: oid, base_commit: parent } = instance;
  const truth = await extractGroundTruth({ oid, parent, message, time: 0 } as never, { repo, index });
  const { causes, functions } = truth;
  return { files, culprits: causes.length > 0 ? causes : null, functions, isFixKnown: true };
}

async function ask(
  { instance, index, repo }: Revisited,
  text: string,
  { kind, truth }: { kind: TextKind; truth: Truth },
): Promise<Stated> {
  const sources = openSourceReader(repo, index);
  try {
    const error = await analyzeError({ error_message: text }, { index }, sources);
    const isForeign = kind === 'foreign';
    const isRightFile = (path: string) => !isForeign && truth.files.includes(path);
    const right = error.located.files.slice(0, 3).some(({ path }) => isRightFile(path));
    const placeConfidence = estimateConfidence(error).value;
    const packages = index.code && (await readPackageNames(index.code, sources));
    const owners = findFrameOwners(error.trace, error.frames, packages);
    const match = matchProject({
      ...{ ...error, owners, packages, index },
      text: reportText({ error_message: text }, error.trace),
      pasted: text,
    });
    const now = index.commits.time(index.commits.find(instance.base_commit));
    const history = await collectHistory(error, { repo, index, now, timeoutMs: TIMEOUT_MS });
    const common = { ...error, ...history, repo, index, now };
    const suspects = rankSuspects({ ...common, blamed: history.blame.commits });
    const culprits = isForeign || kind === 'vague' ? [] : truth.culprits;
    const accused = suspects.map(({ commit }) => Number(culprits?.includes(index.commits.oid(commit))));
    const precedents = measurePrecedents({ ...common, suspects, placeConfidence });
    const changesFunction = createFunctionMatcher();
    const changesGoldFunction = (commit: number) =>
      !isForeign &&
      (history.diffs.get(index.commits.oid(commit)) ?? []).some(({ new_path, hunks }) =>
        truth.functions.some(
          ({ path, symbol }) =>
            new_path !== null &&
            path === history.renames.currentPath(new_path) &&
            hunks.some((hunk) => changesFunction(hunk, symbol)),
        ),
      );
    const isRelevant = (commit: number) =>
      Array.from(index.commits.paths(commit), (path) => history.renames.currentPath(index.commits.path(path)))
        .filter((path) => !isNonSource(path))
        .some(isRightFile);
    out?.write(
      `${JSON.stringify({
        ...{
          id: instance.instance_id,
          repo: instance.repo,
          kind,
          right,
          declined: isOtherProgram(match),
          culpritsKnown: culprits !== null,
          accused,
        },
        features: confidenceFeatures(error),
        cause: causeFeatures({ suspects, placeConfidence, located: error.located, index, now }),
        isFixKnown: truth.isFixKnown,
        precedents: precedents.map(({ commit, similarity, features }) => ({
          ...{ similarity, features, right: isRelevant(commit), inFunction: changesGoldFunction(commit) },
          subject: index.commits.subject(commit),
        })),
      })}\n`,
    );
    return { confidence: placeConfidence, right };
  } finally {
    sources.close();
  }
}

function foreignErrorTo(repo: string, turn: number): string | undefined {
  const others = options.instances.filter((instance) => instance.repo !== repo);
  return others[(turn * 7919) % (others.length || 1)]?.problem_statement;
}

function shareRightOfMostConfident(cases: Stated[]): number {
  const sorted = [...cases].sort((a, b) => b.confidence - a.confidence);
  return shareRight(sorted.slice(0, Math.ceil(0.8 * sorted.length)));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

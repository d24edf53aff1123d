import type { CodeAge } from '#contract/evolution.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type CodeAgeSurvey, listCodeFiles, listSample } from './code-age-survey.ts';

const MAX_OLDEST = 50;
/** Shorter files are headers and stubs. */
const MIN_OLDEST_LINES = 20;

/**
 * Summarizes a survey for a folder or file, `path`, or the whole project. Lines by year are extrapolated from the measured files
 * by lines; the years that lines were added in are known for the whole project only.
 */
export function summarizeCodeAge(
  survey: CodeAgeSurvey | null,
  { revision, code }: RepositoryIndex,
  path: string,
): CodeAge {
  const isInside = (file: number) => {
    const name = code!.filePath(file);
    return path === '' || name === path || name.startsWith(`${path}/`);
  };
  const files = code === null ? [] : listCodeFiles(code).filter(isInside);
  const sample = code === null ? [] : listSample(code).filter(isInside);
  const measured = sample.flatMap((file) => {
    const years = survey?.files[code!.filePath(file)]?.years;
    return years ? [{ path: code!.filePath(file), years: toPairs(years) }] : [];
  });
  const lines = files.reduce((sum, file) => sum + code!.fileLines(file), 0);
  const counts = sumByYear(measured.flatMap(({ years }) => years));
  const measuredLines = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const scale = measuredLines === 0 ? 0 : lines / measuredLines;
  const added = path === '' && survey?.added ? survey.added.years : null;
  const years = [...new Set([...counts.keys(), ...Object.keys(added ?? {}).map(Number)])].sort(
    (a, b) => a - b,
  );
  return {
    commit: revision,
    path,
    complete: survey?.revision === revision && measured.length === sample.length && survey.added !== null,
    files: files.length,
    sample: sample.length,
    measured: measured.length,
    lines,
    years: years.map((year) => {
      const left = Math.round((counts.get(year) ?? 0) * scale);
      const known = added?.[year] ?? null;
      // More lines left than added: changes that are not indexed, as of generated files, wrote them.
      return { year, lines: left, added: known !== null && known >= left ? known : null };
    }),
    oldest: measured
      .map(({ path: name, years: pairs }) => ({ path: name, ...averageYear(pairs) }))
      .filter((file) => file.lines >= MIN_OLDEST_LINES)
      .sort((a, b) => a.year - b.year || b.lines - a.lines)
      .slice(0, MAX_OLDEST)
      .map((file) => ({ ...file, year: Math.round(file.year) })),
  };
}

/** Sums up the measured lines of the whole project by year, oldest first. */
export function sumSurveyYears(survey: CodeAgeSurvey): { year: number; lines: number }[] {
  const counts = sumByYear(Object.values(survey.files).flatMap(({ years }) => toPairs(years)));
  return [...counts].map(([year, lines]) => ({ year, lines })).sort((a, b) => a.year - b.year);
}

type YearPair = [year: number, lines: number];

const toPairs = (years: Record<string, number>) =>
  Object.entries(years).map(([year, lines]): YearPair => [Number(year), lines]);

function sumByYear(pairs: readonly YearPair[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [year, lines] of pairs) sums.set(year, (sums.get(year) ?? 0) + lines);
  return sums;
}

/** Mean year of the lines of a file. */
function averageYear(pairs: readonly YearPair[]): { lines: number; year: number } {
  const lines = pairs.reduce((sum, [, count]) => sum + count, 0);
  return { lines, year: pairs.reduce((sum, [year, count]) => sum + year * count, 0) / lines };
}

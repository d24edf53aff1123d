import type { BacktestCase, BacktestMetrics, HitRate } from '#contract/backtest.ts';

/** Confidence is stated for the right file being among the first three. */
const TOP_K = 3;
const BIN_COUNT = 10;

/** Summarizes replayed fixes. Cases without ground truth of a kind (a fix that deletes nothing has no cause) do not count there. */
export function summarizeCases(cases: readonly BacktestCase[]): BacktestMetrics {
  return {
    files: hitRate(cases.map(({ files }) => files)),
    functions: hitRate(cases.map(({ functions }) => functions)),
    causes: hitRate(cases.map(({ causes }) => causes)),
    calibration: measureCalibration(cases),
  };
}

function hitRate(kinds: { expected: string[]; rank: number | null }[]): HitRate {
  const counted = kinds.filter(({ expected }) => expected.length > 0);
  const within = (most: number) =>
    counted.length === 0
      ? 0
      : counted.filter(({ rank }) => rank !== null && rank <= most).length / counted.length;
  return { case_count: counted.length, at1: within(1), at3: within(3), at5: within(5) };
}

/**
 * Expected calibration error over tenths of the stated confidence (Naeini et al. 2015): how far "sure to 80 %" is from
 * being right in 80 of 100 cases, on average.
 */
function measureCalibration(cases: readonly BacktestCase[]): BacktestMetrics['calibration'] {
  const bins = Array.from({ length: BIN_COUNT }, (_, index) => {
    const inside = cases.filter(
      ({ confidence }) => Math.min(BIN_COUNT - 1, Math.floor(confidence * BIN_COUNT)) === index,
    );
    const right = inside.filter(({ files: { rank } }) => rank !== null && rank <= TOP_K);
    return {
      from: index / BIN_COUNT,
      to: (index + 1) / BIN_COUNT,
      case_count: inside.length,
      mean_confidence:
        inside.length === 0 ? 0 : inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length,
      accuracy: inside.length === 0 ? 0 : right.length / inside.length,
    };
  }).filter((bin) => bin.case_count > 0);
  const gaps = bins.reduce(
    (sum, bin) => sum + bin.case_count * Math.abs(bin.mean_confidence - bin.accuracy),
    0,
  );
  return { expected_error: cases.length === 0 ? 0 : gaps / cases.length, bins };
}

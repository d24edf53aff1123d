import { createHash } from 'node:crypto';
import type { FailureReport, WhyReport } from './failure-report.ts';
import { causeReason } from './format-text.ts';
import { formatRemovedFix } from './removed-fixes.ts';

/** Formats a report as GitHub workflow commands, which become annotations of the run. */
export function formatGithub({ failures, notes, removed_fixes }: WhyReport): string {
  const errors = failures.map((failure) => {
    const { path, start_line, end_line } = failure.place ?? { path: failure.file };
    const properties = Object.entries({
      file: path,
      line: start_line,
      endLine: end_line,
      title: failure.test,
    })
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
    return `::error ${properties.join(',')}::${escapeData(annotation(failure))}`;
  });
  const warnings = removed_fixes.map((one) => {
    const properties = `file=${escapeProperty(one.path)},line=${one.line},title=Removed fix`;
    return `::warning ${properties}::${escapeData(formatRemovedFix(one))}`;
  });
  return [
    ...errors,
    ...warnings,
    ...notes.map((note) => `::notice title=Hindsight::${escapeData(note)}`),
  ].join('\n');
}

const RULE_ID = 'failing-test';
const SARIF_SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Formats a report as SARIF 2.1.0. Failures without a place in the repository are notifications: viewers refuse results without one. */
export function formatSarif({ failures, notes, removed_fixes }: WhyReport, version: string): string {
  const placed = failures.filter(({ place }) => place !== null);
  const others = failures.filter(({ place }) => place === null).map(annotation);
  const run = {
    tool: {
      driver: {
        name: 'Hindsight',
        version,
        rules: [
          {
            id: RULE_ID,
            name: 'FailingTest',
            shortDescription: { text: 'A test fails at this place' },
            defaultConfiguration: { level: 'error' },
          },
        ],
      },
    },
    columnKind: 'utf16CodeUnits',
    results: placed.map((failure) => ({
      ruleId: RULE_ID,
      ruleIndex: 0,
      level: 'error',
      message: { text: `${failure.test}\n${annotation(failure)}` },
      locations: [{ physicalLocation: physicalLocation(failure.place!) }],
      partialFingerprints: { 'hindsightTest/v1': fingerprint(failure) },
    })),
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: [...others, ...removed_fixes.map(formatRemovedFix), ...notes].map(
          (text) => ({
            level: 'note',
            message: { text },
          }),
        ),
      },
    ],
  };
  return JSON.stringify({ $schema: SARIF_SCHEMA, version: '2.1.0', runs: [run] }, null, 2);
}

function physicalLocation({ path, start_line, end_line }: NonNullable<FailureReport['place']>) {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return {
    artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
    region: { startLine: start_line, endLine: Math.max(start_line, end_line) },
  };
}

/** Stable over runs, so that viewers take the failure of one test for the same. */
function fingerprint({ test, runner }: FailureReport): string {
  return createHash('sha256').update(`${runner}\0${test}`).digest('hex').slice(0, 32);
}

/** Error and cause of a failure in a few lines. */
function annotation({ error, causes, test, place }: FailureReport): string {
  const [cause] = causes;
  const because = cause
    ? `${cause.hash.slice(0, 7)} ${cause.message} (${cause.author}, ${cause.timestamp.slice(0, 10)}): ${causeReason(cause)}`
    : 'No commit stands out as the cause.';
  return [...(place ? [] : [test]), error, because].join('\n');
}

/** Escapes the message of a workflow command, as `@actions/core` does. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Escapes a property of a workflow command, as `@actions/core` does. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

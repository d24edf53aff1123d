/** A line of the table: what was measured, in the unit that `what` names. */
export interface Row {
  what: string;
  repository: string;
  ours: string;
  rival: string;
  /** Ours divided by the rival's; null without a rival. */
  ratio: number | null;
  goal: string;
  /** Null where nothing is to be reached. */
  met: boolean | null;
}

/** Subject of the measurements. */
export interface Subject {
  /** `owner/name`. */
  name: string;
  /** Absolute path of the bare repository. Nothing may be written there. */
  repo: string;
  /** Full hash. */
  head: string;
  /** A folder that is thrown away. */
  folder: string;
  /** Rounds of which the least counts. */
  rounds: number;
  /** Queries of a row. */
  queries: number;
}

/** The table in Markdown. */
export function tableOf(rows: Row[]): string {
  const cells = (row: Row) => [
    row.what,
    row.repository,
    row.ours,
    row.rival,
    row.ratio === null ? '–' : row.ratio.toPrecision(2),
    row.goal,
    row.met === null ? '–' : row.met ? 'yes' : '**no**',
  ];
  const line = (texts: string[]) => `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  const head = ['what', 'repository', 'ours', 'best rival', 'ratio', 'goal', 'met'];
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(cells(row)))].join('\n');
}

/** Formats milliseconds with significant digits. */
export function ms(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(2))} ms`;
}

/** Bytes. */
export function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

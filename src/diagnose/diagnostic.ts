/** What a checker finds at a place in a file. Lines and columns count from 1; columns are UTF-16 units. */
export interface CheckerDiagnostic {
  line: number;
  column?: number;
  end_line?: number;
  end_column?: number;
  message: string;
  severity: 'error' | 'warning' | 'info';
  /** The checker, and its name for the finding: `ruff F401`. */
  source: string;
}

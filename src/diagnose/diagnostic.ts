/** A finding of a checker. Lines and columns count from 1; columns are UTF-16 units. */
export interface CheckerDiagnostic {
  line: number;
  column?: number;
  end_line?: number;
  end_column?: number;
  message: string;
  severity: 'error' | 'warning' | 'info';
  /** Checker and rule: `ruff F401`. */
  source: string;
}

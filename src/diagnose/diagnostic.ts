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
  fixes?: CheckerFix[];
}

/** A change to the checked text that resolves a finding. */
export interface CheckerFix {
  title: string;
  edits: {
    line: number;
    column: number;
    end_line: number;
    end_column: number;
    text: string;
  }[];
}

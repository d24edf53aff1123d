/** Result of one examination of an installation. */
export interface DoctorCheck {
  name: string;
  state: 'ok' | 'warning' | 'failure';
  /** Finding. */
  text: string;
  /** Next step for what is not in order. */
  advice?: string;
}

/** An examination: a name, and work that finds something. */
export interface Examination {
  name: string;
  run(): Promise<Finding>;
}

export type Finding = Omit<DoctorCheck, 'name'>;

/** A finding that all is well. */
export function ok(text: string): Finding {
  return { state: 'ok', text };
}

/** A finding that the server runs, but not as it should. */
export function warning(text: string, advice: string): Finding {
  return { state: 'warning', text, advice };
}

/** A finding that keeps the server from running or from keeping data safe. */
export function failure(text: string, advice: string): Finding {
  return { state: 'failure', text, advice };
}

/** Runs an examination; an error is a failure with its words. */
export async function runExamination({ name, run }: Examination, advice: string): Promise<DoctorCheck> {
  try {
    return { name, ...(await run()) };
  } catch (error) {
    return { name, ...failure(error instanceof Error ? error.message : String(error), advice) };
  }
}

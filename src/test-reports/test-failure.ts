/** Programs whose output is parsed, and JUnit XML, which most of them write. */
export type TestRunner =
  | 'jest'
  | 'vitest'
  | 'mocha'
  | 'node'
  | 'pytest'
  | 'unittest'
  | 'go'
  | 'cargo'
  | 'maven'
  | 'gradle'
  | 'rspec'
  | 'minitest'
  | 'phpunit'
  | 'dotnet'
  | 'junit';

/** A test that failed, as its runner reported it. */
export interface TestFailure {
  /** Null for a text without a known report: one error. */
  runner: TestRunner | null;
  /** Full name, such as `checkout > adds tax`; the first line of the error without a test. */
  name: string;
  /** File of the test as printed; null where the report names none. */
  file: string | null;
  /** Message and trace, at most `MAX_FAILURE_LENGTH` characters. */
  text: string;
}

/** Failures of a report: the first ones, and the number of all. */
export interface FailedTests {
  failures: TestFailure[];
  total: number;
}

/** Characters of the text of one failure. */
export const MAX_FAILURE_LENGTH = 20_000;
/** Failures that are kept of one report; the others are counted. */
const MAX_FAILURES = 200;
const MAX_NAME_LENGTH = 1_000;

/** Collects failures by name and file: a summary at the end of a log repeats them. */
export class FailureCollector {
  readonly #byKey = new Map<string, TestFailure>();
  #omitted = 0;

  add({ name, text, ...failure }: TestFailure): void {
    const short = name.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH);
    const key = `${failure.runner} ${short} ${failure.file ?? ''}`;
    const earlier = this.#byKey.get(key);
    const cut = trimBlankLines(text).slice(0, MAX_FAILURE_LENGTH);
    if (earlier) {
      if (earlier.text === '') earlier.text = cut;
    } else if (this.#byKey.size < MAX_FAILURES) {
      this.#byKey.set(key, { ...failure, name: short, text: cut });
    } else this.#omitted++;
  }

  list(): FailedTests {
    const failures = [...this.#byKey.values()];
    return { failures, total: failures.length + this.#omitted };
  }
}

function trimBlankLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

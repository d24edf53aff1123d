import sax, { type QualifiedTag, type Tag } from 'sax';
import { AppError } from '#contract/errors.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { MAX_FAILURE_LENGTH } from './test-failure.ts';

/** Result of one test. `flaky`: it failed, and passed when the runner repeated it. */
export interface TestCase {
  /** Name of the innermost suite that has one. */
  suite: string;
  /** Class, file or describe block; empty where the report has none. */
  scope: string;
  name: string;
  file: string | null;
  outcome: 'passed' | 'failed' | 'flaky' | 'skipped';
  /** Message and trace of a failure; empty otherwise. */
  text: string;
}

/** Bytes of a report. */
export const MAX_JUNIT_BYTES = 32 * 2 ** 20;
/** Tests of a report. */
const MAX_TEST_CASES = 50_000;
const MAX_DEPTH = 64;
const MAX_NAME_LENGTH = 500;
/** UTF-16 units that are parsed between two yields. */
const SLICE_LENGTH = 256 * 1024;

// An attribute may hold a whole message; the report itself is bounded.
Object.assign(sax, { MAX_BUFFER_LENGTH: MAX_JUNIT_BYTES });

const FAILURE_TAGS = new Set([
  'failure',
  'error',
  'rerunFailure',
  'rerunError',
  'flakyFailure',
  'flakyError',
]);

/**
 * Parses a JUnit report in the forms of Maven, Gradle, pytest, Jest, Vitest, go-junit-report, PHPUnit, RSpec and .NET. Throws
 * `invalid_input` for anything else: no entities are expanded, and tests, depth and bytes are bounded.
 */
export async function parseJunit(report: Uint8Array, signal?: AbortSignal): Promise<TestCase[]> {
  if (report.byteLength > MAX_JUNIT_BYTES) {
    const params = { size: Math.round(report.byteLength / 2 ** 20), limit: MAX_JUNIT_BYTES / 2 ** 20 };
    throw new AppError('too_large', 'junit_too_large', { params });
  }
  const text = decodeXml(report);
  const reader = new JunitReader();
  for (let at = 0; at < text.length; at += SLICE_LENGTH) {
    reader.write(text.slice(at, at + SLICE_LENGTH));
    await yieldIfDue(signal);
  }
  return reader.end();
}

/** Decodes by byte order mark, else by the XML declaration, else as UTF-8. */
function decodeXml(report: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(report.subarray(0, 200));
  const declared = /^<\?xml[^>]{0,150}encoding=["']([\w.-]{1,40})["']/.exec(head)?.[1];
  const label = head.startsWith('ÿþ') ? 'utf-16le' : head.startsWith('þÿ') ? 'utf-16be' : declared;
  try {
    return new TextDecoder(label ?? 'utf-8').decode(report);
  } catch {
    return new TextDecoder().decode(report);
  }
}

/** State of a parse: the open elements, and the tests that are complete. */
class JunitReader {
  readonly #cases: TestCase[] = [];
  readonly #parser = sax.parser(true, { position: true, trim: false });
  readonly #open: string[] = [];
  readonly #suites: string[] = [];
  #current: TestCase | null = null;
  #failure: string[] | null = null;
  #isReport = false;

  constructor() {
    const parser = this.#parser;
    parser.onerror = (error) => {
      const [reason = ''] = error.message.split('\n');
      throw new AppError('invalid_input', 'junit_not_xml', { params: { line: parser.line + 1, reason } });
    };
    parser.ondoctype = (doctype) => {
      if (doctype.includes('[')) throw new AppError('invalid_input', 'junit_doctype');
    };
    parser.onopentag = (tag) => this.#openTag(tag);
    parser.onclosetag = (name) => this.#closeTag(name);
    parser.ontext = (text) => this.#addText(text);
    parser.oncdata = (text) => this.#addText(text);
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): TestCase[] {
    this.#parser.close();
    if (!this.#isReport) throw new AppError('invalid_input', 'junit_no_suite');
    return this.#cases;
  }

  #openTag({ name, attributes }: Tag | QualifiedTag): void {
    this.#open.push(name);
    if (this.#open.length > MAX_DEPTH) throw new AppError('invalid_input', 'junit_no_suite');
    const read = (key: string) => {
      const value = attributes[key];
      return (typeof value === 'string' ? value : (value?.value ?? '')).slice(0, MAX_FAILURE_LENGTH);
    };
    if (name === 'testsuites') this.#isReport = true;
    else if (name === 'testsuite') {
      this.#isReport = true;
      this.#suites.push(clean(read('name')) || (this.#suites.at(-1) ?? ''));
    } else if (name === 'testcase' && this.#isReport) this.#openCase(read);
    else if (this.#current && name === 'skipped' && this.#current.outcome === 'passed')
      this.#current.outcome = 'skipped';
    else if (this.#current && FAILURE_TAGS.has(name)) this.#openFailure(this.#current, name, read);
  }

  #openCase(read: (key: string) => string): void {
    if (this.#cases.length === MAX_TEST_CASES)
      throw new AppError('too_large', 'junit_too_many_tests', { params: { limit: MAX_TEST_CASES } });
    this.#current = {
      suite: this.#suites.at(-1) ?? '',
      scope: clean(read('classname') || read('class')),
      name: clean(read('name')),
      file: clean(read('file') || read('filepath')) || null,
      outcome: ['notrun', 'skipped', 'disabled'].includes(read('status').toLowerCase())
        ? 'skipped'
        : 'passed',
      text: '',
    };
  }

  #openFailure(current: TestCase, tag: string, read: (key: string) => string): void {
    if (tag.startsWith('flaky')) current.outcome = 'flaky';
    else if (current.outcome !== 'flaky') current.outcome = 'failed';
    const [type, message] = [read('type'), read('message')];
    const title = type !== '' && !message.startsWith(type) ? `${type}: ${message}` : message;
    this.#failure = [title.replace(/: $/, '')];
  }

  #addText(text: string): void {
    this.#failure?.push(text.slice(0, MAX_FAILURE_LENGTH));
  }

  #closeTag(name: string): void {
    this.#open.pop();
    if (name === 'testsuite') this.#suites.pop();
    if (FAILURE_TAGS.has(name) && this.#current && this.#failure) {
      const [title = '', ...body] = this.#failure;
      const trace = body.join('').trim();
      // Most runners begin the text with the message.
      const isRepeated = trace.includes(title.split('\n')[0]!);
      const own = (isRepeated ? trace : `${title}\n${trace}`).trim();
      const all = this.#current.text === '' ? own : `${this.#current.text}\n\n${own}`;
      this.#current.text = all.slice(0, MAX_FAILURE_LENGTH);
      this.#failure = null;
    }
    if (name === 'testcase' && this.#current) {
      this.#cases.push(this.#current);
      this.#current = null;
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names are stored and printed
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]+/g;

function clean(text: string): string {
  return text.replace(CONTROL_CHARACTERS, ' ').trim().slice(0, MAX_NAME_LENGTH);
}

/** Full name of a test, as logs print it: `checkout > adds tax`. */
export function testFullName({ scope, name }: Pick<TestCase, 'scope' | 'name'>): string {
  return scope === '' || name.startsWith(scope) ? name || scope : `${scope} > ${name}`;
}

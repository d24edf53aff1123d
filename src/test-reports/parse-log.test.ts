import { expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { parseTestLog } from './parse-log.ts';
import { SAMPLE_LOGS } from './testing-logs.ts';

const expected = ({ runner, failures }: (typeof SAMPLE_LOGS)[number]) =>
  failures.map(([name, file, text]) => ({ runner, name, file, text: expect.stringContaining(text) }));

test.each(SAMPLE_LOGS)('failures of $runner are separated', (sample) => {
  expect(parseTestLog(sample.log).failures).toEqual(expected(sample));
});

const RED = (line: string) => `\x1b[31m\x1b[1m${line}\x1b[0m`;

/** Lines as CI systems print them. */
const CI_LINES: Record<string, (line: string, index: number) => string> = {
  github: (line) => `2026-11-23T07:38:03.1234567Z ${RED(line)}`,
  'github download': (line) => `test\tRun tests\t2026-11-23T07:38:03.1234567Z ${line}`,
  gitlab: (line, index) =>
    `${index === 0 ? 'section_start:1732347483:step_script\r\x1b[0K' : ''}2026-11-23T07:38:03.123456Z 01O ${line}`,
  jenkins: (line) => `[2026-11-23T07:38:03.123Z] ${line}\r`,
  buildkite: (line) => `\x1b_bk;t=1732347483123\x07${RED(line)}`,
};

test.each(Object.entries(CI_LINES))(
  'escape sequences, times and markers of %s are removed',
  (_name, wrap) => {
    for (const sample of SAMPLE_LOGS) {
      const log = ['##[group]Run npm test', '##[endgroup]', ...sample.log.split('\n').map(wrap)].join('\n');
      expect(parseTestLog(log).failures).toEqual(expected(sample));
    }
  },
);

test('other texts are one error; long logs are bounded and the rest is counted', () => {
  const trace = "TypeError: Cannot read properties of undefined (reading 'x')\n    at f (src/a.js:1:2)";
  expect(parseTestLog(`> shop\n${trace}`)).toMatchObject({
    total: 1,
    failures: [{ runner: null, name: expect.stringContaining('TypeError'), text: `> shop\n${trace}` }],
  });
  expect(parseTestLog('').total).toBe(0);
  const many = Array.from({ length: 1_000 }, (_, index) => `  ● test ${index}\n\n    Error: no`).join('\n');
  const found = parseTestLog(`FAIL a.test.js\n${many}`);
  expect([found.total, found.failures.length]).toEqual([1_000, 200]);
  const json = SAMPLE_LOGS.find(({ runner }) => runner === 'go')!;
  const events = json.log
    .split('\n')
    .map((Output) => JSON.stringify({ Action: 'output', Output: `${Output}\n` }));
  expect(parseTestLog(events.join('\n')).failures).toEqual(expected(json));
});

test('hostile logs take linear time', async () => {
  const read = (line: string) => {
    parseTestLog(`${line.repeat(5_000)}\n`.repeat(20));
    parseTestLog(`${line}\n`.repeat(10_000));
  };
  for (const line of ['  ● ', ' FAIL  ', '(', '[ERROR] a(', '_'.repeat(50), '::', '\x1b]', 'a > '])
    expect(await measureCpuMs(() => read(line)), line).toBeLessThan(10_000);
});

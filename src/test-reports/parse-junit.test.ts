import { expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { parseJunit, testFullName } from './parse-junit.ts';

const parse = (xml: string) => parseJunit(new TextEncoder().encode(xml));

test('outcomes, names, files and texts are read in the forms of the common writers', async () => {
  const cases = await parse(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="pytest" tests="7">
  <testcase classname="tests.test_total.TestTotal" name="test_total" file="tests/test_total.py" time="0.01">
    <failure message="assert 125 == 120">def test_total():
&gt;  assert total() == 120
E   assert 125 == 120</failure></testcase>
  <testcase classname="shop.CartTest" name="addsTax"><error type="NullPointerException" message="no rate"><![CDATA[at shop.Cart(Cart.java:4)]]></error><system-out>noise</system-out></testcase>
  <testcase name="passes" classname="checkout"/>
  <testcase name="waits" classname="checkout"><skipped/></testcase>
  <testcase name="retried" classname="shop.FlakyTest"><flakyFailure message="timeout">at 1</flakyFailure></testcase>
  <testcase name="twice" classname="x"><failure message="a">1</failure><rerunFailure message="b">2</rerunFailure></testcase>
  <testsuite name="inner"><testcase name="checkout › deep" classname="checkout"/></testsuite>
</testsuite></testsuites>`);
  expect(cases.map(({ outcome }) => outcome)).toEqual([
    'failed',
    'failed',
    'passed',
    'skipped',
    'flaky',
    'failed',
    'passed',
  ]);
  expect(cases[0]).toMatchObject({
    suite: 'pytest',
    file: 'tests/test_total.py',
    scope: 'tests.test_total.TestTotal',
  });
  expect(cases[0]!.text).toContain('>  assert total() == 120');
  expect(cases[1]!.text).toBe('NullPointerException: no rate\nat shop.Cart(Cart.java:4)');
  expect(cases[5]!.text).toBe('a\n1\n\nb\n2');
  expect(cases[6]!.suite).toBe('inner');
  expect(cases.map(testFullName).slice(1, 3)).toEqual(['shop.CartTest > addsTax', 'checkout > passes']);
  const latin = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="é"/></testsuite>',
    'latin1',
  );
  expect((await parseJunit(latin))[0]!.name).toBe('é');
});

const LAUGHS = `<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>`;

test.each([
  ['junit_doctype', LAUGHS],
  ['junit_not_xml', '<testsuite><testcase name="&b;"/></testsuite>'],
  ['junit_not_xml', '<testsuite><testcase name="a"></testsuite>'],
  ['junit_not_xml', '<testsuite><testcase name="a"'],
  ['junit_not_xml', 'FAIL src/a.test.js'],
  ['junit_no_suite', ''],
  ['junit_no_suite', '<html><testcase name="a"/></html>'],
  ['junit_no_suite', '<testsuite>'.repeat(1_000)],
  ['junit_too_many_tests', `<testsuite>${'<testcase name="a"/>'.repeat(50_001)}</testsuite>`],
])('%s: %.60s', async (messageKey, xml) => {
  await expect(parse(xml)).rejects.toMatchObject({ messageKey });
});

test('a report of 100 MB is refused before it is parsed', async () => {
  const report = new Uint8Array(100 * 2 ** 20);
  const refused = () =>
    expect(parseJunit(report)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('100 MB'),
    });
  expect(await measureCpuMs(refused)).toBeLessThan(200);
});

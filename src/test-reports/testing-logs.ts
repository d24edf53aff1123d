import type { TestRunner } from './test-failure.ts';

/** A log of a runner with the failures that it holds: name, file, and a part of the text. */
interface SampleLog {
  runner: TestRunner;
  log: string;
  failures: [name: string, file: string | null, text: string][];
}

const RULE = '⎯'.repeat(24);

/** Outputs as the runners print them, two failures each where that shows how they are separated. */
export const SAMPLE_LOGS: SampleLog[] = [
  {
    runner: 'jest',
    log: `FAIL src/total.test.js
  checkout
    ✕ adds tax (3 ms)
    ✓ has a name

  ● checkout › adds tax

    expect(received).toBe(expected) // Object.is equality

    Expected: 120
    Received: 125

      at Object.<anonymous> (src/total.test.js:5:10)

FAIL src/region.test.js
  ● Test suite failed to run

    Cannot find module './region' from 'src/region.test.js'

Summary of all failing tests
FAIL src/total.test.js
  ● checkout › adds tax

    expect(received).toBe(expected) // Object.is equality

Test Suites: 2 failed, 2 total
Tests:       1 failed, 1 passed, 2 total`,
    failures: [
      ['checkout > adds tax', 'src/total.test.js', 'Received: 125'],
      ['Test suite failed to run', 'src/region.test.js', 'Cannot find module'],
    ],
  },
  {
    runner: 'vitest',
    log: ` RUN  v5.1.1 /srv/shop

${RULE} Failed Tests 2 ${RULE}

 FAIL  src/total.test.ts > checkout > adds tax
AssertionError: expected 125 to be 120 // Object.is equality

 ❯ src/total.test.ts:5:10
${RULE}[1/2]⎯

 FAIL  |unit| src/region.test.ts > knows regions
TypeError: Cannot read properties of undefined (reading 'rate')
 ❯ taxRate src/region.ts:3:9
${RULE}[2/2]⎯

 Test Files  2 failed (2)
      Tests  2 failed (2)`,
    failures: [
      ['checkout > adds tax', 'src/total.test.ts', 'expected 125 to be 120'],
      ['knows regions', 'src/region.test.ts', 'taxRate src/region.ts:3:9'],
    ],
  },
  {
    runner: 'mocha',
    log: `  checkout
    1) adds tax

  0 passing (5ms)
  2 failing

  1) checkout
       adds tax:

      AssertionError: expected 125 to equal 120
      at Context.<anonymous> (test/total.js:5:10)

  2) "before each" hook for "has a name":
     TypeError: connect is not a function
      at Context.<anonymous> (test/name.js:2:3)
`,
    failures: [
      ['checkout > adds tax', 'test/total.js', 'expected 125 to equal 120'],
      ['"before each" hook for "has a name"', 'test/name.js', 'connect is not a function'],
    ],
  },
  {
    runner: 'node',
    log: `✖ failing tests:

test at test/total.test.js:4:1
✖ adds tax (3.1ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  125 !== 120
      at TestContext.<anonymous> (file:///srv/shop/test/total.test.js:4:33)

test at test/total.test.js:9:1
✖ checkout (5ms)
  '1 subtest failed'
`,
    failures: [['adds tax', 'test/total.test.js', '125 !== 120']],
  },
  {
    runner: 'pytest',
    log: `=================================== FAILURES ===================================
_______________________________ Test.test_total ________________________________

    def test_total():
>       assert total() == 120
E       assert 125 == 120

tests/test_total.py:5: AssertionError
________________________ ERROR at setup of test_region _________________________
tests/test_region.py:3: in region
    return REGIONS["x"]
E   KeyError: 'x'
=========================== short test summary info ============================
FAILED tests/test_total.py::Test::test_total - assert 125 == 120
========================= 1 failed, 1 error in 0.02s ==========================`,
    failures: [
      ['Test.test_total', 'tests/test_total.py', 'assert 125 == 120'],
      ['test_region', 'tests/test_region.py', "KeyError: 'x'"],
    ],
  },
  {
    runner: 'unittest',
    log: `F
======================================================================
FAIL: test_total (tests.test_total.TotalTest.test_total)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/srv/shop/tests/test_total.py", line 5, in test_total
    self.assertEqual(total(), 120)
AssertionError: 125 != 120

----------------------------------------------------------------------
Ran 1 test in 0.001s`,
    failures: [['tests.test_total.TotalTest.test_total', '/srv/shop/tests/test_total.py', '125 != 120']],
  },
  {
    runner: 'go',
    log: `=== RUN   TestTotal
=== RUN   TestTotal/with_tax
    total_test.go:8: got 125, want 120
--- FAIL: TestTotal (0.00s)
    --- FAIL: TestTotal/with_tax (0.00s)
=== RUN   TestOther
--- PASS: TestOther (0.00s)
FAIL
FAIL	example.com/shop/checkout	0.003s
--- FAIL: TestRegion (0.00s)
    region_test.go:4: no rate
panic: runtime error: index out of range [1] with length 1

goroutine 7 [running]:
example.com/shop/region.Rate(...)
	/srv/shop/region/region.go:9
FAIL	example.com/shop/region	0.002s
# example.com/shop/broken [example.com/shop/broken.test]
broken/broken_test.go:3:5: undefined: total
FAIL	example.com/shop/broken [build failed]`,
    failures: [
      ['example.com/shop/checkout.TestTotal/with_tax', 'total_test.go', 'got 125, want 120'],
      ['example.com/shop/region.TestRegion', 'region_test.go', 'index out of range'],
      ['example.com/shop/broken', 'broken/broken_test.go', 'undefined: total'],
    ],
  },
  {
    runner: 'cargo',
    log: `running 2 tests
test checkout::tests::adds_tax ... FAILED

failures:

---- checkout::tests::adds_tax stdout ----

thread 'checkout::tests::adds_tax' panicked at src/checkout.rs:10:9:
assertion \`left == right\` failed
  left: 125
 right: 120

---- region::tests::rate stdout ----
thread 'region::tests::rate' panicked at src/region.rs:4:5:
no rate

failures:
    checkout::tests::adds_tax

test result: FAILED. 0 passed; 2 failed`,
    failures: [
      ['checkout::tests::adds_tax', 'src/checkout.rs', 'left: 125'],
      ['region::tests::rate', 'src/region.rs', 'no rate'],
    ],
  },
  {
    runner: 'maven',
    log: `[INFO] Running shop.CartTest
[ERROR] Tests run: 2, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in shop.CartTest
[ERROR] shop.CartTest.addsTax -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <120> but was: <125>
	at shop.CartTest.addsTax(CartTest.java:12)

[ERROR] rate(shop.RegionTest)  Time elapsed: 0.01 sec  <<< ERROR!
java.lang.NullPointerException: no rate
	at shop.Region.rate(Region.java:4)
	at shop.RegionTest.rate(RegionTest.java:9)

[INFO] Results:`,
    failures: [
      ['shop.CartTest.addsTax', 'CartTest.java', 'expected: <120>'],
      ['shop.RegionTest.rate', 'RegionTest.java', 'NullPointerException'],
    ],
  },
  {
    runner: 'gradle',
    log: `> Task :test

CartTest > addsTax() FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:12

RegionTest > rates > unknown() FAILED
    java.lang.NullPointerException: no rate
        at shop.Region.rate(Region.java:4)

3 tests completed, 2 failed`,
    failures: [
      ['CartTest > addsTax()', 'CartTest.java', 'AssertionFailedError'],
      ['RegionTest > rates > unknown()', null, 'NullPointerException'],
    ],
  },
  {
    runner: 'rspec',
    log: `Failures:

  1) Checkout adds tax
     Failure/Error: expect(total).to eq(120)

       expected: 120
            got: 125
     # ./spec/total_spec.rb:5:in \`block (2 levels) in <top (required)>'

  2) Region knows rates
     Failure/Error: raise KeyError, 'x'
     # ./lib/region.rb:3:in \`rate'
     # ./spec/region_spec.rb:7:in \`block (2 levels) in <top (required)>'

Finished in 0.01 seconds
2 examples, 2 failures`,
    failures: [
      ['Checkout adds tax', 'spec/total_spec.rb', 'got: 125'],
      ['Region knows rates', 'spec/region_spec.rb', 'lib/region.rb:3'],
    ],
  },
  {
    runner: 'minitest',
    log: `  1) Failure:
CartTest#test_total [test/cart_test.rb:7]:
Expected: 120
  Actual: 125

1 runs, 1 assertions, 1 failures, 0 errors, 0 skips`,
    failures: [['CartTest#test_total', 'test/cart_test.rb', 'Actual: 125']],
  },
  {
    runner: 'phpunit',
    log: `There was 1 error:

1) RegionTest::testRate
Error: Call to a member function rate() on null

/srv/shop/src/Region.php:9
/srv/shop/tests/RegionTest.php:12

--

There was 1 failure:

1) CartTest::testAddsTax
Failed asserting that 125 matches expected 120.

/srv/shop/tests/CartTest.php:12

FAILURES!
Tests: 2, Assertions: 1, Errors: 1, Failures: 1.`,
    failures: [
      ['RegionTest::testRate', '/srv/shop/tests/RegionTest.php', 'Call to a member function'],
      ['CartTest::testAddsTax', '/srv/shop/tests/CartTest.php', 'matches expected 120'],
    ],
  },
  {
    runner: 'dotnet',
    log: `  Failed Shop.Tests.CartTest.AddsTax [12 ms]
  Error Message:
   Assert.Equal() Failure
Expected: 120
Actual:   125
  Stack Trace:
     at Shop.Tests.CartTest.AddsTax() in /srv/shop/tests/CartTest.cs:line 12
  Failed Shop.Tests.RegionTest.Rate [< 1 ms]
  Error Message:
   System.NullReferenceException : no rate
  Stack Trace:
     at Shop.Region.Rate() in /srv/shop/src/Region.cs:line 4

Failed!  - Failed:     2, Passed:     0, Skipped:     0, Total:     2`,
    failures: [
      ['Shop.Tests.CartTest.AddsTax', '/srv/shop/tests/CartTest.cs', 'Actual:   125'],
      ['Shop.Tests.RegionTest.Rate', '/srv/shop/src/Region.cs', 'NullReferenceException'],
    ],
  },
];

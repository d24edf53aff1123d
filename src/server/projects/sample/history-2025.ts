// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of the sample
import {
  BIN,
  LABELS,
  PACKAGE,
  PARCEL,
  QUOTE,
  QUOTE_TEST,
  RATES,
  RATES_JSON,
  README,
  TRACKING,
  ZONES,
} from './first-versions.ts';
import type { SampleCommit } from './history.ts';

/** Commits of 2025, oldest first. */
export const HISTORY_2025: SampleCommit[] = [
  {
    author: 'mara',
    date: '2025-02-24 09:10',
    message:
      'Begin with zones and a table of rates\n\nRates are data, so that the office can change them without a release.',
    changes: {
      'package.json': PACKAGE,
      'README.md': README,
      'rates.json': RATES_JSON,
      'src/zones.js': ZONES,
      'src/rates.js': RATES,
    },
  },
  {
    author: 'mara',
    date: '2025-02-24 15:42',
    message: 'Quote a parcel from the command line',
    changes: { 'src/parcel.js': PARCEL, 'src/quote.js': QUOTE, 'bin/parcel-desk.js': BIN },
  },
  {
    author: 'mara',
    date: '2025-02-26 10:05',
    message: 'Test quotes within the north',
    changes: { 'test/quote.test.js': QUOTE_TEST },
  },
  {
    author: 'joon',
    date: '2025-03-04 13:20',
    message: 'Print address labels',
    changes: { 'src/labels.js': LABELS },
  },
  {
    author: 'joon',
    date: '2025-03-06 09:31',
    message:
      'Fix label crash for recipients without a company\n\nMost private recipients have none: `company.toUpperCase()` threw\n"Cannot read properties of undefined (reading \'toUpperCase\')".',
    changes: {
      'src/labels.js': [
        '  return [name, company.toUpperCase(), street, `${to} ${city}`].map((line) => line.slice(0, 32));',
        '  const lines = [name, company?.toUpperCase(), street, `${to} ${city}`];\n  return lines.filter(Boolean).map((line) => line.slice(0, 32));',
      ],
      'test/labels.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelLines } from '../src/labels.js';

const address = { name: 'Ana Pires', street: 'Rua Nova 4', city: 'Porto', to: 'PT-4000' };

test('a label without a company has three lines', () => {
  assert.equal(labelLines(address).length, 3);
});
`,
    },
  },
  {
    author: 'mara',
    date: '2025-03-17 11:00',
    message:
      'Quote by volumetric weight where it is larger\n\nCarriers bill a large and light parcel by its volume: cubic millimetres / 5000.',
    changes: {
      'src/parcel.js': [
        '/** Reads a parcel',
        '/** Grams that are billed: the weight, or the volume if that is more. */\nexport function billedGrams({ grams, length = 0, width = 0, height = 0 }) {\n  return Math.max(grams, (length * width * height) / 5000);\n}\n\n/** Reads a parcel',
      ],
      'src/quote.js': [
        ['import { baseRate }', "import { billedGrams } from './parcel.js';\nimport { baseRate }"],
        ['baseRate(rates, zone, parcel.grams)', 'baseRate(rates, zone, billedGrams(parcel))'],
      ],
    },
  },
  {
    author: 'ines',
    date: '2025-04-02 08:47',
    message: 'Add tracking numbers with check digits',
    changes: {
      'src/tracking.js': TRACKING,
      'test/tracking.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trackingNumber } from '../src/tracking.js';

test('the example of the standard', () => {
  assert.equal(trackingNumber(47312482, 'SE'), 'RR473124829SE');
});
`,
    },
  },
  {
    author: 'ines',
    date: '2025-04-09 16:15',
    message:
      'Fix check digit of tracking numbers: 10 becomes 0 and 11 becomes 5\n\nThe carrier refused about one number in six, with two check digits.',
    changes: {
      'src/tracking.js': [
        '  return 11 - (sum % 11);',
        '  const digit = 11 - (sum % 11);\n  if (digit === 10) return 0;\n  return digit === 11 ? 5 : digit;',
      ],
      'test/tracking.test.js': [
        "  assert.equal(trackingNumber(47312482, 'SE'), 'RR473124829SE');",
        "  assert.equal(trackingNumber(47312482, 'SE'), 'RR473124829SE');\n  assert.match(trackingNumber(3, 'SE'), /^RR\\d{9}SE$/);",
      ],
    },
  },
  {
    author: 'joon',
    date: '2025-05-12 10:02',
    message: 'Release 0.2.0',
    changes: {
      'package.json': ['"version": "0.1.0"', '"version": "0.2.0"'],
      'CHANGELOG.md': '# Changelog\n\n## 0.2.0\n\n- Labels, tracking numbers, volumetric weight.\n',
    },
    tag: 'v0.2.0',
  },
  {
    author: 'mara',
    date: '2025-06-03 14:33',
    message:
      'Fix crash of quotes for destinations outside every zone\n\n`zoneOf` returned undefined for Brazil, and the quote ended with "Cannot read\nproperties of undefined (reading \'id\')" instead of a sentence for the customer.',
    changes: {
      'src/zones.js': [
        '  return ZONES.find(({ prefixes }) => prefixes.some((prefix) => destination.startsWith(prefix)));',
        '  const zone = ZONES.find(({ prefixes }) => prefixes.some((prefix) => destination.startsWith(prefix)));\n  if (zone === undefined) throw new Error(`We do not deliver to ${destination}`);\n  return zone;',
      ],
      'test/quote.test.js': [
        "test('a light parcel",
        "test('a destination outside every zone is refused with a sentence', () => {\n  assert.throws(() => quote({ grams: 900, to: 'BR-01000' }, rates), /do not deliver to BR-01000/);\n});\n\ntest('a light parcel",
      ],
    },
  },
  {
    author: 'ines',
    date: '2025-06-30 09:00',
    message: 'Deliver to Brazil, Chile and Argentina',
    changes: { 'src/zones.js': ["'US', 'CA', 'JP'", "'US', 'CA', 'BR', 'CL', 'AR', 'JP'"] },
  },
  {
    author: 'ines',
    date: '2025-06-30 09:26',
    message: 'Test refusals with a country that stays outside',
    changes: {
      'test/quote.test.js': [
        "to: 'BR-01000' }, rates), /do not deliver to BR-01000/",
        "to: 'AQ-00001' }, rates), /do not deliver to AQ-00001/",
      ],
    },
  },
  {
    author: 'joon',
    date: '2025-08-11 13:08',
    message:
      'Add a fuel surcharge by zone\n\nFuel is billed for islands and overseas only, so the table names those zones.',
    changes: {
      'rates.json': [
        '  "steps": [',
        '  "surcharges": [\n    { "zone": "island", "cents": 250 },\n    { "zone": "world", "cents": 480 }\n  ],\n  "steps": [',
      ],
      'src/surcharges.js': `/** Cents that are added in a zone. */
export function surchargeFor(rates, zone) {
  const entry = rates.surcharges.find(({ zone: id }) => id === zone.id);
  return entry ? entry.cents : 0;
}
`,
      'src/quote.js': [
        ['import { zoneOf }', "import { surchargeFor } from './surcharges.js';\nimport { zoneOf }"],
        [
          '  return { zone: zone.id, base, total: base };',
          '  const surcharge = surchargeFor(rates, zone);\n  return { zone: zone.id, base, surcharge, total: base + surcharge };',
        ],
      ],
    },
  },
  {
    author: 'joon',
    date: '2025-08-11 13:40',
    message: 'Test surcharges of islands',
    changes: {
      'test/surcharges.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quote } from '../src/quote.js';
import { loadRates } from '../src/rates.js';

test('islands pay for fuel', () => {
  assert.equal(quote({ grams: 900, to: 'PT-9000' }, loadRates()).surcharge, 250);
});
`,
    },
  },
  {
    author: 'mara',
    date: '2025-09-22 10:50',
    message: 'Release 0.3.0',
    changes: {
      'package.json': ['"version": "0.2.0"', '"version": "0.3.0"'],
      'CHANGELOG.md': ['## 0.2.0', '## 0.3.0\n\n- Fuel surcharges. South America.\n\n## 0.2.0'],
    },
    tag: 'v0.3.0',
  },
  {
    author: 'ines',
    date: '2025-10-14 15:12',
    message:
      'Fix price of parcels above the heaviest step\n\n`steps.find` returns undefined beyond 20 kg, and reading its cents crashed. Such\nparcels are refused, with the limit in the message.',
    changes: {
      'src/rates.js': [
        '  return step.cents;',
        '  if (step === undefined) throw new Error(`${grams} g is too heavy for ${zone.id}`);\n  return step.cents;',
      ],
    },
  },
  {
    author: 'joon',
    date: '2025-11-03 11:11',
    message: 'Offer insurance by declared value',
    changes: {
      'src/insurance.js': `/** Cents of insurance: 1 % of the declared value above 50.00, at least 1.00. */
export function insuranceFor(cents) {
  if (cents <= 5000) return 0;
  return Math.max(100, (cents - 5000) / 100);
}
`,
      'src/quote.js': [
        ['import { billedGrams }', "import { insuranceFor } from './insurance.js';\nimport { billedGrams }"],
        [
          '  return { zone: zone.id, base, surcharge, total: base + surcharge };',
          '  const insurance = insuranceFor(parcel.cents ?? 0);\n  return { zone: zone.id, base, surcharge, insurance, total: base + surcharge + insurance };',
        ],
      ],
      'bin/parcel-desk.js': [
        "to: { type: 'string' } }",
        "to: { type: 'string' }, value: { type: 'string' } }",
      ],
    },
  },
  {
    author: 'mara',
    date: '2025-11-19 09:09',
    message:
      'Fix half cents in the insurance of declared values\n\nA value of 123.45 was insured for 0.7345. The sum of a quote must be whole cents,\nor the printed total differs from the invoice.',
    changes: {
      'src/insurance.js': ['(cents - 5000) / 100)', 'Math.round((cents - 5000) / 100))'],
      'test/insurance.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insuranceFor } from '../src/insurance.js';

test('insurance is a whole number of cents', () => {
  assert.equal(insuranceFor(1234567) % 1, 0);
});
`,
    },
  },
];

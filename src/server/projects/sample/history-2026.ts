// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of the sample
import type { SampleCommit } from './history.ts';

/** Commits of 2026, oldest first. */
export const HISTORY_2026: SampleCommit[] = [
  {
    author: 'ines',
    date: '2026-01-12 10:20',
    message: 'Cache rates between quotes of a batch',
    changes: {
      'src/rates.js': [
        "/** Reads the table of rates. */\nexport function loadRates(path = new URL('../rates.json', import.meta.url)) {\n  return JSON.parse(readFileSync(path, 'utf8'));\n}",
        "const cache = new Map();\n\n/** Reads the table of rates, once for each path. */\nexport function loadRates(path = new URL('../rates.json', import.meta.url)) {\n  const key = String(path);\n  if (!cache.has(key)) cache.set(key, JSON.parse(readFileSync(path, 'utf8')));\n  return cache.get(key);\n}",
      ],
    },
  },
  {
    author: 'joon',
    date: '2026-02-02 14:00',
    message: 'Quote a whole file of parcels',
    changes: {
      'src/batch.js': `import { parseParcel } from './parcel.js';
import { quote } from './quote.js';

/** Quotes of a CSV file: \`weight,size,to\` on each line. Blank lines are skipped. */
export function quoteLines(text, rates) {
  return text
    .split('\\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [weight, size, to] = line.split(',');
      return { to, ...quote(parseParcel({ weight, size, to }), rates) };
    });
}
`,
    },
  },
  {
    author: 'joon',
    date: '2026-02-05 10:45',
    message:
      'Fix batch quotes of files with Windows line ends\n\nThe carriage return became part of the destination, and labels printed it.',
    changes: { 'src/batch.js': [".split('\\n')", '.split(/\\r?\\n/)'] },
  },
  {
    author: 'mara',
    date: '2026-03-02 10:00',
    message:
      'Test quotes against a fixed table of rates\n\nA new price in `rates.json` broke four tests last week.',
    changes: {
      'test/fixture-rates.js': `/** Rates that never change. */
export const rates = {
  surcharges: [
    { zone: 'nordic', cents: 0 },
    { zone: 'island', cents: 250 },
  ],
  steps: [
    { zone: 'nordic', upTo: 1000, cents: 590 },
    { zone: 'island', upTo: 1000, cents: 890 },
  ],
};
`,
      'test/quote.test.js': [
        [
          "import { loadRates } from '../src/rates.js';\n\nconst rates = loadRates();",
          "import { rates } from './fixture-rates.js';",
        ],
      ],
      'test/surcharges.test.js': [
        ["import { loadRates } from '../src/rates.js';", "import { rates } from './fixture-rates.js';"],
        ['loadRates()).surcharge', 'rates).surcharge'],
      ],
    },
  },
  {
    author: 'mara',
    date: '2026-03-09 09:30',
    message: 'Release 0.4.0',
    changes: {
      'package.json': ['"version": "0.3.0"', '"version": "0.4.0"'],
      'CHANGELOG.md': ['## 0.3.0', '## 0.4.0\n\n- Insurance and batches.\n\n## 0.3.0'],
    },
    tag: 'v0.4.0',
  },
  {
    author: 'ines',
    date: '2026-04-21 16:40',
    message: 'Tell assistants how this project works',
    changes: {
      'AGENTS.md': `# Working on parcel-desk

- Money is whole cents, weights are grams, sizes millimetres. Never use fractions of a cent.
- Rates are data: change \`rates.json\`, not code, when a price changes.
- Run \`npm test\` before a commit.
`,
    },
  },
  {
    author: 'joon',
    date: '2026-05-18 11:55',
    message: 'Show the parts of a quote',
    changes: {
      'bin/parcel-desk.js': [
        '  const { zone, total } = quote(parseParcel(values), loadRates());\n  console.log(`${zone}: ${(total / 100).toFixed(2)}`);',
        "  const { zone, base, surcharge, insurance, total } = quote(parseParcel(values), loadRates());\n  const format = (cents) => (cents / 100).toFixed(2);\n  console.log(`${zone}: ${format(total)} (${[base, surcharge, insurance].map(format).join(' + ')})`);",
      ],
    },
  },
  {
    author: 'mara',
    date: '2026-06-16 13:37',
    message: 'Describe the parts of a quote in the README',
    changes: {
      'README.md': [
        'Destinations are',
        'A quote is the base rate, the fuel surcharge and the insurance of the declared value (`--value`).\n\nDestinations are',
      ],
    },
  },
  {
    author: 'ines',
    date: '2026-08-03 10:10',
    message: 'Add a remote zone for Lapland',
    changes: {
      'src/zones.js': [
        "  { id: 'nordic'",
        "  { id: 'remote', prefixes: ['SE-98', 'FI-99', 'NO-9'] },\n  { id: 'nordic'",
      ],
      'rates.json': [
        '    { "zone": "europe", "upTo": 1000, "cents": 990 },',
        '    { "zone": "remote", "upTo": 1000, "cents": 790 },\n    { "zone": "remote", "upTo": 5000, "cents": 1490 },\n    { "zone": "remote", "upTo": 20000, "cents": 2950 },\n    { "zone": "europe", "upTo": 1000, "cents": 990 },',
      ],
    },
  },
  {
    author: 'joon',
    date: '2026-09-14 15:21',
    message:
      'Index surcharges by zone when rates are loaded\n\nA batch of 40,000 parcels searched the list once for each of them. A map is looked\nup instead, which makes the batch a third faster.',
    changes: {
      'src/rates.js': [
        "  if (!cache.has(key)) cache.set(key, JSON.parse(readFileSync(path, 'utf8')));\n  return cache.get(key);",
        "  if (!cache.has(key)) cache.set(key, indexRates(JSON.parse(readFileSync(path, 'utf8'))));\n  return cache.get(key);\n}\n\nfunction indexRates(rates) {\n  return { ...rates, surcharges: new Map(rates.surcharges.map((entry) => [entry.zone, entry])) };",
      ],
      'src/surcharges.js': [
        '  const entry = rates.surcharges.find(({ zone: id }) => id === zone.id);\n  return entry ? entry.cents : 0;',
        '  return rates.surcharges.get(zone.id).cents;',
      ],
      'test/fixture-rates.js': [
        ['surcharges: [\n', 'surcharges: new Map([\n'],
        [
          "    { zone: 'nordic', cents: 0 },\n    { zone: 'island', cents: 250 },\n  ],",
          "    ['nordic', { zone: 'nordic', cents: 0 }],\n    ['island', { zone: 'island', cents: 250 }],\n  ]),",
        ],
      ],
    },
  },
  {
    author: 'mara',
    date: '2026-10-05 09:15',
    message: 'Deliver to Ireland and Austria',
    changes: { 'src/zones.js': ["'IT', 'PL'", "'IT', 'PL', 'IE', 'AT'"] },
  },
  {
    author: 'ines',
    date: '2026-10-19 14:05',
    message: 'Release 0.5.0',
    changes: {
      'package.json': ['"version": "0.4.0"', '"version": "0.5.0"'],
      'CHANGELOG.md': ['## 0.4.0', '## 0.5.0\n\n- Lapland, Ireland, Austria. Faster batches.\n\n## 0.4.0'],
    },
    tag: 'v0.5.0',
  },
];

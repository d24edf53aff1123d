// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of the sample

/** First version of `package.json`. */
export const PACKAGE = `{
  "name": "parcel-desk",
  "version": "0.1.0",
  "description": "Shipping quotes and labels from the command line",
  "type": "module",
  "bin": { "parcel-desk": "bin/parcel-desk.js" },
  "scripts": { "test": "node --test" },
  "engines": { "node": ">=20" },
  "license": "MIT"
}
`;

/** First version of `src/parcel.js`. */
export const PARCEL = `/** Reads a parcel from command line options. Weights are in grams, sizes in millimetres. */
export function parseParcel({ weight, size = '', to, value = '0' }) {
  const grams = Number(weight);
  if (!Number.isFinite(grams) || grams <= 0) throw new Error(\`Weight must be a positive number: \${weight}\`);
  const [length = 0, width = 0, height = 0] = size.split('x').map(Number);
  return { grams, length, width, height, to: to.trim().toUpperCase(), cents: Math.round(Number(value) * 100) };
}
`;

/** First version of `src/zones.js`. */
export const ZONES = `/** Zones by the prefix of a destination, longest prefix first. */
const ZONES = [
  { id: 'island', prefixes: ['SE-62', 'ES-07', 'PT-9'] },
  { id: 'nordic', prefixes: ['SE', 'NO', 'DK', 'FI'] },
  { id: 'europe', prefixes: ['DE', 'FR', 'ES', 'PT', 'NL', 'BE', 'IT', 'PL'] },
  { id: 'world', prefixes: ['US', 'CA', 'JP', 'KR', 'AU'] },
];

/** Zone of a destination such as \`SE-11122\`. */
export function zoneOf(destination) {
  return ZONES.find(({ prefixes }) => prefixes.some((prefix) => destination.startsWith(prefix)));
}
`;

/** First version of `src/rates.js`. */
export const RATES = `import { readFileSync } from 'node:fs';

/** Reads the table of rates. */
export function loadRates(path = new URL('../rates.json', import.meta.url)) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Cents for a weight in a zone: the first step that is heavy enough. */
export function baseRate(rates, zone, grams) {
  const step = rates.steps.find(({ zone: id, upTo }) => id === zone.id && grams <= upTo);
  return step.cents;
}
`;

/** First version of `rates.json`. */
export const RATES_JSON = `{
  "steps": [
    { "zone": "nordic", "upTo": 1000, "cents": 590 },
    { "zone": "nordic", "upTo": 5000, "cents": 1190 },
    { "zone": "nordic", "upTo": 20000, "cents": 2450 },
    { "zone": "island", "upTo": 1000, "cents": 890 },
    { "zone": "island", "upTo": 5000, "cents": 1690 },
    { "zone": "island", "upTo": 20000, "cents": 3290 },
    { "zone": "europe", "upTo": 1000, "cents": 990 },
    { "zone": "europe", "upTo": 5000, "cents": 1990 },
    { "zone": "europe", "upTo": 20000, "cents": 3990 },
    { "zone": "world", "upTo": 1000, "cents": 1890 },
    { "zone": "world", "upTo": 5000, "cents": 4290 },
    { "zone": "world", "upTo": 20000, "cents": 9990 }
  ]
}
`;

/** First version of `src/quote.js`. */
export const QUOTE = `import { baseRate } from './rates.js';
import { zoneOf } from './zones.js';

/** Price of a parcel in cents, with its parts. */
export function quote(parcel, rates) {
  const zone = zoneOf(parcel.to);
  const base = baseRate(rates, zone, parcel.grams);
  return { zone: zone.id, base, total: base };
}
`;

/** First version of `bin/parcel-desk.js`. */
export const BIN = `#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { parseParcel } from '../src/parcel.js';
import { quote } from '../src/quote.js';
import { loadRates } from '../src/rates.js';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { weight: { type: 'string' }, size: { type: 'string' }, to: { type: 'string' } },
});

if (positionals[0] === 'quote') {
  const { zone, total } = quote(parseParcel(values), loadRates());
  console.log(\`\${zone}: \${(total / 100).toFixed(2)}\`);
} else {
  console.error('Usage: parcel-desk quote --weight 900 --to SE-11122');
  process.exitCode = 2;
}
`;

/** First version of `src/labels.js`. */
export const LABELS = `/** Lines of an address label, at most 32 characters each. */
export function labelLines({ name, company, street, city, to }) {
  return [name, company.toUpperCase(), street, \`\${to} \${city}\`].map((line) => line.slice(0, 32));
}

/** Frames the lines of a label. */
export function formatLabel(address) {
  const lines = labelLines(address);
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '-'.repeat(width + 4);
  return [rule, ...lines.map((line) => \`| \${line.padEnd(width)} |\`), rule].join('\\n');
}
`;

/** First version of `src/tracking.js`. */
export const TRACKING = `const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7];

/** Check digit of eight digits, as in the S10 standard of the Universal Postal Union. */
export function checkDigit(digits) {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return 11 - (sum % 11);
}

/** Tracking number of a parcel: \`RR123456785SE\`. */
export function trackingNumber(serial, country) {
  const digits = String(serial).padStart(8, '0');
  return \`RR\${digits}\${checkDigit(digits)}\${country}\`;
}
`;

/** First version of `README.md`. */
export const README = `# parcel-desk

Shipping quotes and labels from the command line.

    node bin/parcel-desk.js quote --weight 900 --to SE-11122

Destinations are a country and a postcode. Rates are in \`rates.json\`, in cents.
`;

/** First version of `test/quote.test.js`. */
export const QUOTE_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quote } from '../src/quote.js';
import { loadRates } from '../src/rates.js';

const rates = loadRates();

test('a light parcel within the north', () => {
  assert.equal(quote({ grams: 900, to: 'SE-11122' }, rates).total, 590);
});
`;

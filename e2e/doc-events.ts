/** An error event of the sample project, with the text that a terminal would show. */
interface SampleEvent {
  text: string;
  platform: 'node';
  timestamp: number;
  release: string;
  environment: string;
  tags: Record<string, string>;
  exception: { values: { type: string; value: string; stacktrace: { frames: object[] } }[] };
}

type Frame = [name: string, file: string, line: number, column: number];

const MAIN: Frame = ['main', 'bin/parcel-desk.js', 13, 62];
const HOUR_MS = 3_600_000;

/** Errors that the sample raises at its last commit: type, message, frames from the innermost, events, hours between them. */
const ERRORS: [type: string, message: string, frames: Frame[], count: number, everyHours: number][] = [
  [
    'TypeError',
    "Cannot read properties of undefined (reading 'cents')",
    [['surchargeFor', 'src/surcharges.js', 3, 39], ['quote', 'src/quote.js', 11, 21], MAIN],
    23,
    5,
  ],
  [
    'Error',
    'We do not deliver to CH-8001',
    [['zoneOf', 'src/zones.js', 13, 35], ['quote', 'src/quote.js', 9, 16], MAIN],
    9,
    17,
  ],
  [
    'Error',
    '31500 g is too heavy for world',
    [['baseRate', 'src/rates.js', 19, 33], ['quote', 'src/quote.js', 10, 16], MAIN],
    4,
    31,
  ],
  [
    'TypeError',
    "Cannot read properties of undefined (reading 'length')",
    [
      ['formatLabel', 'src/labels.js', 10, 52],
      ['printLabels', 'src/labels.js', 9, 17],
    ],
    2,
    50,
  ],
];

/** Events of the last days, the newest of the most frequent error first. */
export function sampleEvents(now = Date.now()): SampleEvent[] {
  return ERRORS.flatMap(([type, value, frames, count, everyHours]) =>
    Array.from({ length: count }, (_, at) => ({
      text: [
        `${type}: ${value}`,
        ...frames.map(
          ([name, file, line, column]) => `    at ${name} (/srv/parcel-desk/${file}:${line}:${column})`,
        ),
      ].join('\n'),
      platform: 'node' as const,
      timestamp: (now - at * everyHours * HOUR_MS) / 1000,
      release: 'parcel-desk@0.5.0',
      environment: at % 4 === 0 ? 'staging' : 'production',
      tags: { country: ['SE', 'NO', 'FI'][at % 3]! },
      exception: {
        values: [
          {
            ...{ type, value },
            stacktrace: {
              frames: frames.toReversed().map(([name, filename, lineno, colno]) => ({
                ...{ function: name, filename: `/srv/parcel-desk/${filename}`, lineno, colno, in_app: true },
              })),
            },
          },
        ],
      },
    })),
  );
}

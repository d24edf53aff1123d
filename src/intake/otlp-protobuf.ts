import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { AppError } from '#contract/errors.ts';
import { toText } from './json-values.ts';
import {
  EXCEPTION_EVENT,
  hasException,
  MAX_OTLP_ATTRIBUTES,
  MAX_OTLP_EXCEPTIONS,
  type OtlpAttribute,
  type OtlpException,
  type OtlpRequest,
} from './otlp-messages.ts';

/**
 * Field numbers of opentelemetry-proto 1.x. Only fields that lead to an exception are decoded; everything else is skipped
 * unread, so that a batch of spans costs little.
 *
 *   ExportLogsServiceRequest, ExportTraceServiceRequest   1 resource_logs | resource_spans
 *   ResourceLogs, ResourceSpans                           1 resource (1 attributes), 2 scope_logs | scope_spans
 *   ScopeLogs, ScopeSpans                                 1 scope (1 name), 2 log_records | spans
 *   LogRecord    1 time, 2 severity, 5 body, 6 attributes, 9 trace_id, 10 span_id, 11 observed_time
 *   Span         1 trace_id, 2 span_id, 5 name, 11 events (1 time, 2 name, 3 attributes)
 *   KeyValue     1 key, 2 value (1 string, 2 bool, 3 int, 4 double)
 */
type Fields = ReadonlyMap<number, Uint8Array[]>;

const MAX_VALUE = 100_000;

/** Reads an `ExportLogsServiceRequest`. Throws `bad_request` for damaged bytes. */
export function readProtobufLogs(bytes: Uint8Array): OtlpRequest {
  return readRecords(bytes, (record, context) => {
    const attributes = readAttributes(record.get(6));
    if (!hasException(attributes)) return [];
    return [
      {
        ...context,
        attributes,
        timeUnixNano: fixed64(record.get(1)) || fixed64(record.get(11)),
        severity: Number(varint(record.get(2)) ?? 0),
        body: record.has(5) ? (anyValue(record.get(5)!.at(-1)!) ?? null) : null,
        traceId: hex(record.get(9)),
        spanId: hex(record.get(10)),
      },
    ];
  });
}

/** Reads an `ExportTraceServiceRequest`. Throws `bad_request` for damaged bytes. */
export function readProtobufTraces(bytes: Uint8Array): OtlpRequest {
  return readRecords(bytes, (span, context) =>
    (span.get(11) ?? [])
      .map((event) => fieldsOf(event, [1, 2, 3]))
      .filter((event) => string(event.get(2)) === EXCEPTION_EVENT)
      .map((event) => ({
        ...context,
        attributes: readAttributes(event.get(3)),
        timeUnixNano: fixed64(event.get(1)),
        severity: 0,
        body: null,
        traceId: hex(span.get(1)),
        spanId: hex(span.get(2)),
        name: string(span.get(5)),
      }))
      .filter(({ attributes }) => hasException(attributes)),
  );
}

type Context = Pick<OtlpException, 'resource' | 'name'>;

function readRecords(
  bytes: Uint8Array,
  read: (record: Fields, context: Context) => OtlpException[],
): OtlpRequest {
  const exceptions: OtlpException[] = [];
  let withoutException = 0;
  let rejected = 0;
  try {
    for (const group of fieldsOf(bytes, [1]).get(1) ?? []) {
      const { resource, scopes } = readGroup(group);
      for (const scope of scopes) {
        const fields = fieldsOf(scope, [1, 2]);
        const name = string(fieldsOf(fields.get(1)?.at(-1), [1]).get(1));
        for (const record of fields.get(2) ?? []) {
          const isFull = exceptions.length >= MAX_OTLP_EXCEPTIONS;
          const found = isFull ? [] : read(fieldsOf(record, [1, 2, 5, 6, 9, 10, 11]), { resource, name });
          if (isFull) rejected += 1;
          else if (found.length === 0) withoutException += 1;
          exceptions.push(...found);
        }
      }
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('bad_request', 'otlp_unreadable', { cause });
  }
  return { exceptions, withoutException, rejected };
}

function readGroup(bytes: Uint8Array): { resource: OtlpAttribute[]; scopes: Uint8Array[] } {
  const fields = fieldsOf(bytes, [1, 2]);
  const resource = readAttributes(fieldsOf(fields.get(1)?.at(-1), [1]).get(1));
  return { resource, scopes: fields.get(2) ?? [] };
}

/** Splits a message into the raw values of the wanted fields, without copying them. */
function fieldsOf(bytes: Uint8Array | undefined, wanted: readonly number[]): Fields {
  const fields = new Map<number, Uint8Array[]>();
  if (!bytes) return fields;
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (type === WireType.StartGroup || type === WireType.EndGroup)
      throw new RangeError('groups are not part of OTLP');
    const value = type === WireType.LengthDelimited ? reader.bytes() : reader.skip(type, field);
    if (!wanted.includes(field)) continue;
    const values = fields.get(field);
    if (values) values.push(value);
    else fields.set(field, [value]);
  }
  return fields;
}

function readAttributes(values: Uint8Array[] = []): OtlpAttribute[] {
  return values
    .slice(0, MAX_OTLP_ATTRIBUTES)
    .map((bytes) => fieldsOf(bytes, [1, 2]))
    .map((fields) => ({
      key: toText(string(fields.get(1)), 200) ?? '',
      value: fields.has(2) ? anyValue(fields.get(2)!.at(-1)!) : undefined,
    }))
    .filter((attribute): attribute is OtlpAttribute => attribute.key !== '' && attribute.value !== undefined);
}

/** Text of a string, bool, int or double; undefined for lists, maps and bytes. */
function anyValue(bytes: Uint8Array): string | undefined {
  const fields = fieldsOf(bytes, [1, 2, 3, 4]);
  if (fields.has(1)) return toText(string(fields.get(1)), MAX_VALUE);
  if (fields.has(2)) return String(varint(fields.get(2)) !== 0n);
  if (fields.has(3)) return String(BigInt.asIntN(64, varint(fields.get(3)) ?? 0n));
  const double = fields.get(4)?.at(-1);
  return double?.length === 8 ? String(view(double).getFloat64(0, true)) : undefined;
}

function string(values: Uint8Array[] | undefined): string {
  const bytes = values?.at(-1);
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : '';
}

function varint(values: Uint8Array[] | undefined): bigint | undefined {
  const bytes = values?.at(-1);
  return bytes && BigInt(new BinaryReader(bytes).uint64());
}

function fixed64(values: Uint8Array[] | undefined): string {
  const bytes = values?.at(-1);
  const time = bytes?.length === 8 ? view(bytes).getBigUint64(0, true) : 0n;
  return time === 0n ? '' : String(time);
}

function hex(values: Uint8Array[] | undefined): string {
  const bytes = values?.at(-1);
  return bytes && (bytes.length === 8 || bytes.length === 16) ? Buffer.from(bytes).toString('hex') : '';
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

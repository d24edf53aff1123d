import { AppError } from '#contract/errors.ts';
import { isRecord, parseJson, toRecord, toText } from './json-values.ts';
import {
  EXCEPTION_EVENT,
  hasException,
  MAX_OTLP_ATTRIBUTES,
  MAX_OTLP_EXCEPTIONS,
  type OtlpAttribute,
  type OtlpException,
  type OtlpRequest,
} from './otlp-messages.ts';

const MAX_VALUE = 100_000;

/** Reads an `ExportLogsServiceRequest` in the JSON form of OTLP. Throws `bad_request` for anything else. */
export function readJsonLogs(text: string): OtlpRequest {
  return collect(readGroups(text, 'resourceLogs', 'scopeLogs', 'logRecords'), (record, context) => {
    const attributes = toAttributes(record.attributes);
    const exception = {
      ...context,
      attributes,
      timeUnixNano: toNano(record.timeUnixNano) || toNano(record.observedTimeUnixNano),
      severity: Number(record.severityNumber) || 0,
      body: toValue(record.body) ?? null,
      ...toIds(record),
    };
    return hasException(attributes) ? [exception] : [];
  });
}

/** Reads an `ExportTraceServiceRequest` in the JSON form of OTLP. Throws `bad_request` for anything else. */
export function readJsonTraces(text: string): OtlpRequest {
  return collect(readGroups(text, 'resourceSpans', 'scopeSpans', 'spans'), (span, context) =>
    toRecords(span.events)
      .filter(({ name }) => name === EXCEPTION_EVENT)
      .map((event) => ({
        ...context,
        attributes: toAttributes(event.attributes),
        timeUnixNano: toNano(event.timeUnixNano),
        severity: 0,
        body: null,
        ...toIds(span),
        name: toText(span.name, 200) ?? '',
      }))
      .filter(({ attributes }) => hasException(attributes)),
  );
}

interface Group {
  records: Record<string, unknown>[];
  context: { resource: OtlpAttribute[]; name: string };
}

function readGroups(text: string, resources: string, scopes: string, records: string): Group[] {
  const request = parseJson(text);
  if (!isRecord(request)) throw new AppError('bad_request', 'otlp_unreadable');
  return toRecords(request[resources]).flatMap((resource) => {
    const attributes = toAttributes(toRecord(resource.resource).attributes);
    return toRecords(resource[scopes]).map((scope) => ({
      records: toRecords(scope[records]),
      context: { resource: attributes, name: toText(toRecord(scope.scope).name, 200) ?? '' },
    }));
  });
}

function collect(
  groups: Group[],
  read: (record: Record<string, unknown>, context: Group['context']) => OtlpException[],
): OtlpRequest {
  const exceptions: OtlpException[] = [];
  let withoutException = 0;
  let rejected = 0;
  for (const { records, context } of groups) {
    for (const record of records) {
      const isFull = exceptions.length >= MAX_OTLP_EXCEPTIONS;
      const found = isFull ? [] : read(record, context);
      if (isFull) rejected += 1;
      else if (found.length === 0) withoutException += 1;
      exceptions.push(...found);
    }
  }
  return { exceptions, withoutException, rejected };
}

function toRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function toAttributes(value: unknown): OtlpAttribute[] {
  return toRecords(value)
    .slice(0, MAX_OTLP_ATTRIBUTES)
    .map(({ key, value }) => ({ key: toText(key, 200) ?? '', value: toValue(value) }))
    .filter((attribute): attribute is OtlpAttribute => attribute.key !== '' && attribute.value !== undefined);
}

/** `{ stringValue: 'a' }` and its siblings; undefined for lists, maps and bytes. */
function toValue(value: unknown): string | undefined {
  const { stringValue, intValue, doubleValue, boolValue } = toRecord(value);
  return toText(stringValue ?? intValue ?? doubleValue ?? boolValue, MAX_VALUE);
}

function toNano(value: unknown): string {
  const text = String(typeof value === 'number' ? BigInt(Math.max(0, Math.trunc(value)) || 0) : value);
  return /^\d{1,20}$/.test(text) && text !== '0' ? text : '';
}

function toIds(record: Record<string, unknown>): { traceId: string; spanId: string } {
  const hex = (value: unknown) =>
    typeof value === 'string' && /^[\da-f]{16,32}$/i.test(value) ? value.toLowerCase() : '';
  return { traceId: hex(record.traceId), spanId: hex(record.spanId) };
}

/** An attribute in the JSON form of OTLP; the fields of other value types are ignored. */
export interface OtlpAttribute {
  key: string;
  value: string;
}

/** A log record or span event that holds an exception, with what stands around it. */
export interface OtlpException {
  attributes: OtlpAttribute[];
  resource: OtlpAttribute[];
  /** Nanoseconds since 1970 as a decimal; empty when unknown. */
  timeUnixNano: string;
  /** 1 to 24, where 17 and up are errors and 21 and up fatal. */
  severity: number;
  /** Text of a log record. */
  body: string | null;
  /** Hexadecimal; empty when unknown. */
  traceId: string;
  spanId: string;
  /** Name of the span, or of the library that logged. */
  name: string;
}

/** Exceptions of one request, and the number of its other records or spans. */
export interface OtlpRequest {
  exceptions: OtlpException[];
  withoutException: number;
  /** Not read, beyond the limit of exceptions. */
  rejected: number;
}

/** Exceptions taken from one request; senders batch a few hundred records. */
export const MAX_OTLP_EXCEPTIONS = 500;
/** Attributes of one record or resource. */
export const MAX_OTLP_ATTRIBUTES = 128;

/** Name that the semantic conventions give to the span event of an exception. */
export const EXCEPTION_EVENT = 'exception';

/** True for attributes that describe an exception. */
export function hasException(attributes: readonly OtlpAttribute[]): boolean {
  return attributes.some(
    ({ key }) => key === 'exception.type' || key === 'exception.message' || key === 'exception.stacktrace',
  );
}

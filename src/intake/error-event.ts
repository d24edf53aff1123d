import type { Frame } from '#investigate/trace/trace.ts';

/** Severity as the sender states it; `error` when it does not. */
export type EventLevel = 'fatal' | 'error' | 'warning' | 'info' | 'debug';

/** A frame as an SDK sends it. `path` is the file as sent, or the module where there is no file. */
export interface EventFrame extends Frame {
  /** URL or absolute path, where it differs from `path`. */
  absPath?: string;
  /** Package, class or module: `com.example.Shop`, `flask.app`. */
  module?: string;
  /** False for frames of libraries and of the runtime; absent when the SDK does not say. */
  inApp?: boolean;
  /** Place in the generated file, where a source map was applied. */
  generated?: { path: string; line: number | null; column: number | null };
  /** Lines before and after `text`. */
  before?: string[];
  after?: string[];
}

/** One exception of a chain. */
export interface EventException {
  type: string | null;
  value: string | null;
  module?: string;
  /** False for an exception that nothing caught. */
  handled?: boolean;
  /** Way by which the SDK got hold of it: `onunhandledrejection`, `excepthook`. */
  mechanism?: string;
  /** Innermost first. */
  frames: EventFrame[];
}

/** Something that happened before the error. */
export interface EventBreadcrumb {
  /** ISO time; absent when the sender gives none. */
  at?: string;
  category?: string;
  level?: EventLevel;
  message: string;
}

/** A loaded file by its debug id, which source maps are found by; for native code an image. */
export interface DebugImage {
  type: string;
  debugId: string;
  /** URL or path of the file. */
  codeFile?: string;
}

/**
 * An error event in one form, whichever SDK sent it: bounded, without personal data, and nothing but values of JSON. Stored
 * as `error_events.event`.
 */
export interface ErrorEvent {
  /** Id of the sender in 32 hexadecimal digits, or a digest where it sends none. A repeated id is the same event. */
  id: string;
  source: 'sentry' | 'otlp';
  /** `python`, `javascript`, `node`, `java`, `go`, `ruby`, `php`, `csharp`, `native`, `other`. */
  platform: string;
  /** ISO time of the occurrence; the time of receipt where the sender's clock is off by more than a day. */
  at: string;
  level: EventLevel;
  /** Text without an exception, such as a log record. */
  message: string | null;
  /** Template of the message, before its parameters were filled in. */
  messageTemplate?: string;
  /** The exception that was thrown, then its causes; empty for a message. */
  exceptions: EventException[];
  /** Function, route or task in which it happened. */
  transaction?: string;
  logger?: string;
  release?: string;
  dist?: string;
  environment?: string;
  serverName?: string;
  /** Fingerprint that the SDK sets; `{{ default }}` stands for ours. */
  fingerprint?: string[];
  tags: Record<string, string>;
  /** Oldest first. */
  breadcrumbs: EventBreadcrumb[];
  /** Method and URL of the request that failed. */
  request?: { method?: string; url?: string };
  /** Name and version of runtime, operating system, browser, device: `{ runtime: 'CPython 3.13.1' }`. */
  contexts: Record<string, string>;
  extra: Record<string, string>;
  traceId?: string;
  sdk?: { name: string; version: string };
  debugImages: DebugImage[];
}

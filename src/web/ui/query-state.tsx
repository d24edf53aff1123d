import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';
import { PageTitle } from './page-header.tsx';
import { Skeleton } from './skeleton.tsx';

/** The part of a query's result that decides what is shown. */
interface QueryStatus<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

interface QueryStateProps<T> {
  query: QueryStatus<T>;
  /** Title of a page, and its heading for screen readers, until the first result brings its own. */
  title?: string;
  /** Shown before the first result: widths of a skeleton's rows, or an element. */
  loading?: string[] | ReactNode;
  /** Shown in place of `children` when `isEmpty` is true. */
  empty?: ReactNode;
  /** An empty array counts as empty by default. */
  isEmpty?: (data: T) => boolean;
  /** A failed refetch is announced above the data it could not replace. */
  showStaleError?: boolean;
  /** Replaces the text of the error. */
  errorText?: (error: Error) => ReactNode;
  /** Classes of the error notice. */
  errorClassName?: string;
  children: (data: T) => ReactNode;
}

/**
 * Loading, error with Retry, empty and ready states of a query. Data that is present stays visible while it is
 * refetched.
 */
export function QueryState<T>({
  query,
  title,
  loading,
  empty,
  isEmpty = isEmptyArray,
  ...props
}: QueryStateProps<T>) {
  const { data, error } = query;
  const hasError = error !== null && (data === undefined || props.showStaleError);
  return (
    <>
      {title !== undefined && data === undefined && (
        <>
          <PageTitle>{title}</PageTitle>
          <h1 className="sr-only">{title}</h1>
        </>
      )}
      {hasError && (
        <Notice
          kind="error"
          {...(props.errorClassName && { className: props.errorClassName })}
          onRetry={isFinal(error) ? undefined : () => query.refetch()}
        >
          {props.errorText ? props.errorText(error) : error.message}
        </Notice>
      )}
      {data === undefined && !error && (isRows(loading) ? <Skeleton rows={loading} /> : loading)}
      {data !== undefined && (empty !== undefined && isEmpty(data) ? empty : props.children(data))}
    </>
  );
}

/** True when another try would end the same: the request is invalid, or what it asks for does not exist. */
function isFinal(error: Error): boolean {
  return 'status' in error && (error.status === 400 || error.status === 404);
}

function isEmptyArray(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}

function isRows(loading: unknown): loading is string[] | undefined {
  return loading === undefined || (Array.isArray(loading) && loading.every((row) => typeof row === 'string'));
}

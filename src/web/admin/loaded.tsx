import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface LoadedProps<T> {
  query: UseQueryResult<T, ApiError>;
  children: (data: T) => ReactNode;
}

/** What a call has answered; until then its shape, or why it has not. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <Skeleton rows={['62%', '48%', '55%', '40%']} />;
  return (
    <Notice kind="error" onRetry={() => query.refetch()}>
      {query.error.message}
    </Notice>
  );
}

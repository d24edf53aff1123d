import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';

/** Minimum of the contract; a server may require more. */
const DEFAULT_MIN_LENGTH = 8;

/** Minimum password length of this server. */
export function useMinPasswordLength(): number {
  return useQuery(apiQuery('GET /auth/setup')).data?.password_min_length ?? DEFAULT_MIN_LENGTH;
}

import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';

/** What the contract asks for at least; a server may ask for more. */
const DEFAULT_MIN_LENGTH = 8;

/** The fewest characters that this server takes in a password. */
export function useMinPasswordLength(): number {
  return useQuery(apiQuery('GET /auth/setup')).data?.password_min_length ?? DEFAULT_MIN_LENGTH;
}

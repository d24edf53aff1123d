import { useQuery } from '@tanstack/react-query';
import { read } from '../query.ts';

/** What the contract asks for at least; a server may ask for more. */
const SHORTEST = 8;

/** The fewest characters that this server takes in a password. */
export function usePasswordMinimum(): number {
  return useQuery(read('GET /auth/setup')).data?.password_min_length ?? SHORTEST;
}

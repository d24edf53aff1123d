import { inject } from 'vitest';
import { useSpawner } from './spawner.ts';

// Before the tests of every file.
useSpawner(inject('gitSpawner'));

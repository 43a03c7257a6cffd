// Several things of one commit break every test of a file, in frameworks that take longer to start.
import { mendsAnEverydayCommit } from '../../support/everydayCases.ts';

mendsAnEverydayCommit('vitest');
mendsAnEverydayCommit('jest');
mendsAnEverydayCommit('pytest');

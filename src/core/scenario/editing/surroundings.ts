// What a scenario file may name that stands in other files: components, and variables of the configuration.
import type { Range } from '../../model/position.ts';

/** A component that the file may use. */
export interface KnownComponent {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly isRequired: boolean }[];
  /** Absolute. */
  readonly file: string;
  /** Of its name. */
  readonly range: Range;
}

/** A value of the configuration: for every environment or for one. */
export interface KnownVariable {
  readonly name: string;
  readonly value: unknown;
  readonly environment?: string;
  readonly file: string;
  readonly range: Range;
}

export interface Surroundings {
  readonly components: readonly KnownComponent[];
  readonly variables: readonly KnownVariable[];
  /** Names of the environments of the configuration. */
  readonly environments: readonly string[];
}

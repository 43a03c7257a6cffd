// What is known of a skill; its types are public (`testmend/skills`).

/** CONTRACTS K2; a tests file without a skill has the type `unknown` and no folder, a skill without tests no file. */
export interface SkillRecord {
  readonly skillName: string;
  readonly shortName: string;
  readonly skillType: string;
  /** Absolute. */
  readonly testFile?: string;
  /** Absolute. */
  readonly skillDir?: string;
}

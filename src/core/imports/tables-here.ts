/** The tables here as an import makes and changes them. */
export {
  createIndexes,
  createKey,
  createMirror,
  definitionOf,
  dropKey,
  dropMirror,
  findDangling,
} from '../../sql/schema/mirror-tables.ts'
export { replacedMark } from '../../sql/schema/replaced-tables.ts'
export {
  countOwnWrites,
  findOwnRows,
  findSettingsRow,
  findTables,
  type ImportedObject as Brought,
  linkRevisions,
  noteBrought,
  noteReplaced,
  readAddresses,
  readBrought,
  readNumbers,
  renumber,
  shiftSettings,
} from '../../sql/statements/imports.ts'
export { readMirrored } from '../../sql/statements/mirror-rows.ts'
export { moveSequence, settleCounter } from '../../sql/statements/sequences.ts'

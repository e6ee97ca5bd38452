/** The rows of collections in a SQL database. */
import type { Context } from '../../domain/ports/context.ts'
import { fitsColumns } from './fits-columns.ts'
import { writeJournal } from './history.ts'
import { deleteAboutMissing } from './missing-items.ts'
import { moveRow } from './move-row.ts'
import { matchRows, readOne, readRowBeside, readRows, runQuery } from './read.ts'
import { readPages } from './read-pages.ts'
import { recordedKey } from './recorded-key.ts'
import { highestNumbers, lockConflicting, lockRows } from './related-rows.ts'
import { rowsWithNumbers } from './stored-numbers.ts'
import { runWrite } from './write.ts'

export const sqlRows: Context['rows'] = {
  read: runQuery,
  readOne,
  readRows,
  readPages,
  readBeside: readRowBeside,
  match: matchRows,
  write: runWrite,
  writeHistory: writeJournal,
  toStored: rowsWithNumbers,
  lock: lockRows,
  conflicting: lockConflicting,
  highest: highestNumbers,
  move: moveRow,
  deleteAboutMissing,
  takes: fitsColumns,
  recordedKey,
}

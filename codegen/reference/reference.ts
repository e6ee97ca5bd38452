/** Generates `docs/reference`: settings, commands, errors and the parts of queries, from their tables. */
import type { Generator } from '../model.ts'
import { commandsPage } from './commands.ts'
import { errorsPage } from './errors.ts'
import { functionsPage, operatorsPage } from './queries.ts'
import { settingsPage } from './settings.ts'
import { transformsPage } from './transforms.ts'

const pages = {
  settings: settingsPage,
  commands: commandsPage,
  errors: errorsPage,
  operators: operatorsPage,
  functions: functionsPage,
  transforms: transformsPage,
}

export const generateReference: Generator = async () =>
  Object.entries(pages).map(([name, write]) => ({ path: `docs/reference/${name}.md`, text: write() }))

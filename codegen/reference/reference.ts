/** Generates `docs/reference`: settings, commands, errors and the parts of queries, from their tables. */

import type { Command } from 'commander'
import { describeProgram } from '../../src/cli/run.ts'
import type { Generator } from '../model.ts'
import { errorsPage } from './errors.ts'
import { functionsPage, operatorsPage } from './queries.ts'
import { settingsPage } from './settings.ts'
import { code, head, table } from './table.ts'
import { transformsPage } from './transforms.ts'

/** The page of the command line, from the definitions of the commands. */
const about = `\`npm run tandem -- <command>\` in a checkout, \`tandem <command>\` where it is installed. Commands read the same [settings](settings.md) as the server. The exit code is 0 for success, 1 for a failure and 2 for wrong usage, where a command says nothing else. With the embedded database, stop the server first: it has one user.`

const commandsPage = (): string => [head('Command line', about), ...leaves(describeProgram('', { code: 0 }))].join('\n')

const leaves = (command: Command, path = 'tandem'): readonly string[] =>
  command.commands.flatMap((each) => {
    const name = `${path} ${each.name()}`
    return each.commands.length > 0 ? leaves(each, name) : [section(each, name)]
  })

function section(command: Command, name: string): string {
  const words = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`))
  const lines = [`## ${name}`, '', command.description(), '']
  if (words.length > 0) lines.push(`Arguments: ${words.map(code).join(' ')}`, '')
  const options = command.options.map(({ flags, description, defaultValue, argChoices, mandatory }) => [
    code(flags),
    description,
    argChoices === undefined ? '' : argChoices.map(code).join(', '),
    mandatory ? 'required' : defaultValue === undefined || defaultValue === false ? '–' : code(String(defaultValue)),
  ])
  if (options.length > 0) lines.push(table(['option', 'what', 'values', 'default'], options), '')
  return lines.join('\n')
}

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

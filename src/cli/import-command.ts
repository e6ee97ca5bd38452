/** The options of `tandem import`. */
import { type Command, Option } from 'commander'
import type { ImportWish } from './import.ts'

/** Adds the command; `ended` gets its exit code. */
export function addImportCommand(program: Command, ended: (code: number) => void): void {
  program
    .command('import')
    .description('Take over another project.')
    .helpCommand(false)
    .command('directus')
    .description(
      'Print the plan, ask for confirmation, and import a Directus project: data model, roles, rights, users, files and items, with their keys. Can be repeated: rows that are here already stay as they are. Exit code 4: some rows were not taken; the report says why.',
    )
    .addOption(new Option('--url <address>', 'address of the server').conflicts('template'))
    .addOption(new Option('--token <token>', 'static token of an administrator there').conflicts('template'))
    .option('--template <folder>', 'a template instead: a folder in the format of the public template tool')
    .addOption(
      new Option(
        '--source-database <address>',
        'Postgres address of its database (postgres://…), for the passwords, tokens and second factors of users',
      ).conflicts('template'),
    )
    .option('--plan', 'only print what would be imported', false)
    .option('--dry-run', 'the same as --plan', false)
    .option('--update', 'overwrite rows that are here already and differ', false)
    .option('--yes', 'import without confirmation', false)
    .action(async (wish: ImportWish) => ended(await (await import('./import.ts')).importProject(wish)))
}

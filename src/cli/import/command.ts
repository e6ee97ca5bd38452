/** The options of `tandem import`. */
import { type Command, Option } from 'commander'
import type { Outcome } from '../commands/data.ts'
import type { AdoptOptions } from '../version-eight/adopt.ts'
import type { VersionEightOptions } from '../version-eight/import.ts'
import type { ImportOptions } from './import.ts'

/** Adds the command; `outcome` gets its exit code. */
export function addImportCommand(program: Command, outcome: Outcome): void {
  const command = program.command('import').description('Take over another project.').helpCommand(false)
  addVersionEight(command, outcome)
  command
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
    .action(async (options: ImportOptions) => {
      outcome.code = await (await import('./import.ts')).importProject(options)
    })
}

function addVersionEight(command: Command, outcome: Outcome): void {
  command
    .command('version-8')
    .description(
      'Import an installation of version 8 from its MySQL or MariaDB database, with its files: tables, relations, roles, permissions, users, settings and history, under the same numbers. Can be repeated: it writes what has changed there since. Exit code 4: not everything is here; the report says what is missing.',
    )
    .option('--from <address>', 'its database: mysql://user:password@host/name')
    .option('--config <file>', 'its configuration file instead: <key>.php, or api.php')
    .option('--files <place>', 'its folder of originals, the one above, or s3://bucket/folder')
    .option('--project <key>', 'the project here that takes it over', '_')
    .option('--plan', 'only print what would be imported, and what has to be decided', false)
    .option('--report <file>', 'write the report as JSON, too')
    .option('--verify', 'only compare both sides', false)
    .option('--foreign-keys', 'make foreign keys of relations whose rows allow it', false)
    .option('--files-in-place', 'do not copy: the storage here is the folder of originals', false)
    .option('--overwrite', 'import although rows were written here since the last import; they are lost', false)
    .action(async (options: VersionEightOptions) => {
      outcome.code = await (await import('../version-eight/import.ts')).importVersionEight(options)
    })
}

/** Adds `tandem adopt`; `outcome` gets its exit code. */
export function addAdoptCommand(program: Command, outcome: Outcome): void {
  program
    .command('adopt')
    .description('Serve an installation of another server in its own database.')
    .helpCommand(false)
    .command('version-8')
    .description(
      'Add the system tables to the MariaDB database of an installation of version 8, beside its own, and take its roles, permissions, users, settings, files and history over. Its tables stay as they are, and its server can go on running. Can be repeated: it takes over what has changed there since. Exit code 4: not everything is here; the report says what is missing.',
    )
    .addOption(new Option('--url <address>', 'its database: mysql://user:password@host/name').conflicts('config'))
    .option(
      '--config <file>',
      'its configuration file instead: <key>.php or api.php, in the folder that PROJECTS_DIR names',
    )
    .option(
      '--files <place>',
      'folder of originals, the one above, or s3://bucket/folder, to copy into the storage here',
    )
    .option('--plan', 'only print what would be done, and what has to be decided', false)
    .option('--report <file>', 'write the report as JSON, too')
    .option(
      '--overwrite',
      'run although rows were written here since the last run; changes of system rows are lost',
      false,
    )
    .action(async (options: AdoptOptions) => {
      outcome.code = await (await import('../version-eight/adopt.ts')).adoptVersionEight(options)
    })
}

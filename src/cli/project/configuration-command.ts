/** The options of `tandem init`, `pull`, `plan`, `push` and `seed`. */
import type { Command } from 'commander'
import type { PlanCommandOptions, PushCommandOptions } from './configuration.ts'

/** Adds the commands; `ended` gets an exit code other than 0. */
export function addConfigurationCommands(program: Command, ended: (code: number) => void): void {
  program
    .command('init')
    .description('Write a small project as files, with JSON Schemas for editors.')
    .argument('<folder>')
    .action(async (folder: string) => (await import('./configuration.ts')).initProject(folder))
  program
    .command('pull')
    .description('Write the data model, roles, rights, settings, presets, dashboards and translations as YAML files.')
    .argument('<folder>')
    .action(async (folder: string) => (await import('./configuration.ts')).pullProject(folder))
  program
    .command('plan')
    .description('Print what "tandem push" would change. Exit code 0: nothing; 1: error; 2: changes.')
    .argument('<folder>')
    .option('--prune', 'plan the deletion of what is in no file, too', false)
    .option('--check', 'look for drift: exit code 2 also for what is in no file', false)
    .option('--json', 'print the plan as JSON', false)
    .action(async (folder: string, options: PlanCommandOptions) => {
      const code = await (await import('./configuration.ts')).printPlan(folder, options).catch(asFailure)
      ended(code)
    })
  program
    .command('push')
    .description('Print the changes, ask for confirmation, and make them in one transaction.')
    .argument('<folder>')
    .option('--prune', 'delete what is in no file', false)
    .option('--yes', 'without confirmation', false)
    .action(async (folder: string, pushCommandOptions: PushCommandOptions) =>
      (await import('./configuration.ts')).pushProject(folder, pushCommandOptions),
    )
  program
    .command('seed')
    .description(
      'Write the rows of a folder, one JSON or CSV file per collection, in one transaction. Rows that are there, by primary key or a unique field, are updated.',
    )
    .argument('<folder>')
    .action(async (folder: string) => (await import('./seed.ts')).seedProject(folder))
}

/** Wrong settings are errors like others: exit code 2 says that there are changes. */
function asFailure(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'ConfigError') throw error
  throw new Error(error.message, { cause: error })
}

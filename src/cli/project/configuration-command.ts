/** The options of `tandem init`, `pull`, `plan`, `push`, `seed` and `usage`. */
import type { Command } from 'commander'
import type { Outcome } from '../commands/data.ts'
import type { UsageOptions } from '../usage.ts'
import type { PlanCommandOptions, PushCommandOptions } from './configuration.ts'
import type { Target } from './with-connection.ts'

/** Adds the commands; `outcome` gets an exit code other than 0. */
export function addConfigurationCommands(program: Command, outcome: Outcome): void {
  program
    .command('init')
    .description('Write a small project as files, with JSON Schemas for editors.')
    .argument('<folder>')
    .action(async (folder: string) => (await import('./configuration.ts')).initProject(folder))
  onServer(program.command('pull'))
    .description(
      'Write the data model, roles, rights, settings, presets, dashboards, translations and webhooks as YAML files.',
    )
    .argument('<folder>')
    .action(async (folder: string, target: Target) => (await import('./configuration.ts')).pullProject(folder, target))
  addPlanCommand(program, outcome)
  onServer(program.command('push'))
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
  addUsageCommand(program)
}

function addPlanCommand(program: Command, outcome: Outcome): void {
  onServer(program.command('plan'))
    .description(
      'Print what "tandem push" would change, and which clients that breaks. Exit code 0: nothing; 1: error; 2: changes.',
    )
    .argument('<folder>')
    .option('--prune', 'plan the deletion of what is in no file, too', false)
    .option('--check', 'look for drift: exit code 2 also for what is in no file', false)
    .option('--breaking', 'exit code 3 if a change breaks a client whose use is counted', false)
    .option('--json', 'print the plan as JSON', false)
    .action(async (folder: string, options: PlanCommandOptions) => {
      outcome.code = await (await import('./configuration.ts')).printPlan(folder, options).catch(asFailure)
    })
}

function addUsageCommand(program: Command): void {
  onServer(program.command('usage'))
    .description('Print which clients call which operations and use which fields, the latest first.')
    .option('--client <name>', 'only of this client, such as "shop-frontend 2.3"')
    .option('--generation <name>', 'only of this generation of the API: current or legacy')
    .option('--operation <id>', 'only of this operation')
    .option('--all', 'also what is beyond the latest 30 operations and the 8 most used paths of each', false)
    .option('--json', 'as JSON', false)
    .action(async (options: UsageOptions) => (await import('../usage.ts')).printUsage(options))
}

/** The options of commands that work on the configured database, or on a server. */
const onServer = (command: Command): Command =>
  command
    .option('--url <address>', 'work on this server by its API, in place of the configured database')
    .option('--token <token>', 'token of an administrator there; by default that of TANDEM_TOKEN')

/** Invalid settings exit with code 1: exit code 2 means that there are changes. */
function asFailure(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'ConfigError') throw error
  throw new Error(error.message, { cause: error })
}

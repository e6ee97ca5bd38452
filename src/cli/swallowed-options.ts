/** Options that npm took for its own: `npm run tandem token --email x` passes on "token x" alone. */
import type { Command } from 'commander'

type Environment = { readonly [name: string]: string | undefined }

type SwallowedOptions = {
  /** The options, such as `--email <address>`. */
  readonly flags: readonly string[]
  /** Whether npm's own configuration may have set them all, so that the command line need not have had them. */
  readonly isDoubtful: boolean
  /** What to do instead. */
  readonly text: string
}

/** Options that people have in the configuration of npm. */
const common: ReadonlySet<string> = new Set(['yes', 'json', 'include', 'force'])

/** Finds them in the environment that npm sets for its programs. Null if there are none. */
export function findSwallowed(
  program: Command,
  words: readonly string[],
  environment: Environment,
): SwallowedOptions | null {
  if (environment['npm_command']?.startsWith('run') !== true) return null
  const { command, path } = commandIn(program, words)
  const lost = command.options.filter(
    ({ long }) => long != null && !words.some((word) => word === long || word.startsWith(`${long}=`)),
  )
  const swallowed = lost.filter(({ long }) => wasPassed(long as string, environment))
  if (swallowed.length === 0) return null
  const flags = swallowed.map(({ flags: input }) => input)
  const script = environment['npm_lifecycle_event'] ?? 'tandem'
  const names = swallowed.map(({ long }) => long).join(' and ')
  return {
    flags,
    isDoubtful: swallowed.every(({ long }) => common.has((long as string).slice(2))),
    text: `npm kept ${names} for itself. Options belong behind "--": npm run ${[script, '--', ...path, ...flags].join(' ')}`,
  }
}

function commandIn(program: Command, words: readonly string[]): { command: Command; path: readonly string[] } {
  const path: string[] = []
  let command = program
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) break
    path.push(word)
    command = next
  }
  return { command, path }
}

/** npm sets it for each program, whatever its options are. */
const always = 'npm_config_user_agent'

/** npm makes a longer name of an option that is the beginning of one of its own: `token` becomes `token-description`. */
function wasPassed(long: string, environment: Environment): boolean {
  const name = `npm_config_${long.slice(2).replaceAll('-', '_')}`
  return Object.entries(environment).some(
    ([each, value]) =>
      (each === name || (each.startsWith(`${name}_`) && each !== always)) && value !== '' && value !== undefined,
  )
}

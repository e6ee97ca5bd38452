/** A check: one statement about the deployment, that holds or not. */

import type { Flavor } from '../flavor/flavors.ts'
import type { Ask, Tokens } from '../http/client.ts'
import type { Socket, SocketPath } from '../http/socket.ts'
import type { ServedSpec } from '../spec/served.ts'
import type { Named } from '../world/journal.ts'
import type { World } from '../world/world.ts'

export type Trial = {
  readonly ask: Ask
  readonly tokens: Tokens
  /** Opens a socket; null if there is none. */
  readonly connect: (path: SocketPath) => Promise<Socket | null>
  readonly world: World
  readonly spec: ServedSpec | null
  readonly flavor: Flavor
  readonly random: { readonly seed: number; readonly runs: number }
  /** A text that nothing else contains. */
  readonly mark: () => string
  /** Registers something to remove at the end: `DELETE <path>`. */
  readonly remove: (path: string) => void
  /** Registers records of a list to remove at the end, whose field begins with the prefix. */
  readonly removeNamed: (named: Named) => void
}

/** `world` for checks that need collections of the verifier, which `--read-only` forbids. */
export type Need = 'world' | 'deployment'

export type Area = 'lists' | 'items' | 'rights' | 'graphql' | 'legacy' | 'system' | 'spec' | 'random'

export type Check = {
  readonly area: Area
  readonly operation: string
  /** The statement. */
  readonly name: string
  readonly need: Need
  readonly run: (trial: Trial) => Promise<void>
}

export type Outcome = {
  readonly check: Check
  readonly milliseconds: number
  readonly failure: Failure | null
}

export type Failure = {
  readonly message: string
  /** The request that shows the failure; null where no request was sent. */
  readonly curl: string | null
  readonly request: string | null
  readonly expected: unknown
  readonly received: unknown
  readonly spec: { readonly pointer: string; readonly line: number | null } | null
}

/** A check before its area is known. */
export type Statement = Pick<Check, 'operation' | 'name' | 'run'>

export const statement = (operation: string, name: string, run: Check['run']): Statement => ({ operation, name, run })

export const checksOf = (area: Area, need: Need, statements: readonly Statement[]): readonly Check[] =>
  statements.map((each) => ({ area, need, ...each }))

/** The text by which `--only` selects. */
export const titleOf = ({ area, operation, name }: Check): string => `${area} ${operation}: ${name}`

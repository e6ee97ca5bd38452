/** The projects of the process by key. Requests find open ones with one look-up. */
import type { Log } from '../domain/ports/context.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { Project } from './project.ts'

/** A project that can be opened. */
export type Entry = {
  readonly key: string
  /** Kind of the file that configures the project; null = the environment does. */
  readonly file: 'json' | 'php' | null
  /** Lists do not show it. */
  readonly isHidden: boolean
  readonly open: () => Promise<Project>
  /** The part of an error of `open` that callers may see. */
  readonly toFault: (error: unknown) => TandemError
}

export type Registry = {
  /** The project, if it is open and not under maintenance. */
  readonly get: (key: string) => Project | undefined
  /** Opens the project, or throws why it cannot be used. */
  readonly open: (key: string) => Promise<Project>
  readonly has: (key: string) => boolean
  readonly shown: () => readonly string[]
  readonly values: () => Iterable<Project>
  readonly entries: () => readonly Entry[]
  /** `project`: the project, if it is open already. */
  readonly add: (entry: Entry, project?: Project) => void
  /** Stops serving the project. It is still open, and closed by the caller. */
  readonly take: (key: string) => Promise<Project | null>
  /** Projects that answer 503 until they are not among these. */
  readonly rest: (keys: ReadonlySet<string>) => void
  /** Opens everything that is not open; failures are logged. */
  readonly openAll: () => Promise<void>
  readonly close: (left: () => number) => Promise<void>
}

type State = {
  readonly entry: Entry
  project: Project | null
  opening: Promise<Project> | null
  fault: TandemError | null
  /** No attempt to open before. */
  retry: number
}

/** Milliseconds between two attempts to open a project. */
const retryMs = 5_000

/** `main`: key of the default project, which `_` names, too. */
export function createRegistry(log: Log, main = '_'): Registry {
  const keyOf = (name: string): string => (name === '_' ? main : name)
  const states = new Map<string, State>()
  const served = new Map<string, Project>()
  let resting: ReadonlySet<string> = new Set()

  const serve = (key: string): void => {
    const project = states.get(key)?.project ?? null
    if (project === null || resting.has(key)) served.delete(key)
    else served.set(key, project)
  }

  const attempt = async (state: State): Promise<Project> => {
    const { key, open, toFault } = state.entry
    try {
      const project = await open()
      Object.assign(state, { project, fault: null })
      serve(key)
      return project
    } catch (error) {
      log.error({ err: error, project: key }, 'A project could not be opened')
      const fault = error instanceof TandemError && error.failures[0].kind === 'project-fault' ? error : toFault(error)
      Object.assign(state, { fault, retry: Date.now() + retryMs })
      throw fault
    } finally {
      state.opening = null
    }
  }

  const open = async (wanted: string): Promise<Project> => {
    const key = keyOf(wanted.toLowerCase())
    const state = states.get(key)
    if (state === undefined) throw new TandemError({ kind: 'project-not-found', project: wanted })
    if (resting.has(key)) throw unavailable('The project is under maintenance')
    if (state.project !== null) return state.project
    if (state.fault !== null && Date.now() < state.retry) throw state.fault
    state.opening ??= attempt(state)
    return state.opening
  }

  /** After a running attempt to open it. */
  const openOf = async (state: State): Promise<Project | null> =>
    state.project ?? (await state.opening?.catch(() => null)) ?? null

  return {
    get: (key) => served.get(keyOf(key)),
    open,
    has: (key) => states.has(keyOf(key)),
    shown: () => [...states.values()].filter(({ entry }) => !entry.isHidden).map(({ entry }) => entry.key),
    values: () => [...states.values()].flatMap(({ project }) => (project === null ? [] : [project])),
    entries: () => [...states.values()].map(({ entry }) => entry),
    add: (entry, project) => {
      states.set(entry.key, { entry, project: project ?? null, opening: null, fault: null, retry: 0 })
      serve(entry.key)
    },
    take: async (key) => {
      const state = states.get(key)
      states.delete(key)
      served.delete(key)
      return state === undefined ? null : openOf(state)
    },
    rest: (keys) => {
      resting = new Set([...keys].map(keyOf))
      for (const key of states.keys()) serve(key)
    },
    openAll: async () => {
      const closed = [...states.values()].filter(({ project, fault }) => project === null && fault === null)
      await Promise.allSettled(closed.map(({ entry }) => open(entry.key)))
    },
    close: async (left) => {
      await Promise.all([...states.values()].map(async (state) => (await openOf(state))?.close(left)))
      states.clear()
      served.clear()
    },
  }
}

/** Seconds after which a client should try again. */
export const retryAfter = 5

/** The error of a project that cannot be used now. */
export const unavailable = (reason: string, cause?: unknown): TandemError =>
  new TandemError({ kind: 'unavailable', service: 'project', reason, retryAfter }, cause === undefined ? {} : { cause })

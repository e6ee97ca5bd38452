import type { Log } from '../../src/domain/ports/context.ts'

const nothing = (): void => undefined

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

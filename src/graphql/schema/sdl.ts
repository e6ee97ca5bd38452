/** The specs of GraphQL: those written by hand, and what `codegen` derives of them. */
import { readFileSync } from 'node:fs'

const files = {
  'current-items': '../../../graphql/current-items.graphql',
  'current-system': '../../../graphql/current-system.graphql',
  /** The collections of the system. */
  'current-records': '../../generated/current-records.graphql',
  legacy: '../../../graphql/legacy.graphql',
} as const

export type SdlName = keyof typeof files

export const sdlNames = Object.keys(files) as readonly SdlName[]

export const readSdl = (name: SdlName): string => readFileSync(new URL(files[name], import.meta.url), 'utf8')

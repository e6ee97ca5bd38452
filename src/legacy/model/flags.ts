/** Switches in bodies about the data model: clients of version 8 send 1 and 0 as well as true and false. */
import type { components } from '../../generated/legacy.ts'

type Flag = components['schemas']['Flag']

/** The body with booleans alone. */
export type WithBooleans<Body> = {
  [Name in keyof Body]: Flag extends Body[Name] ? Exclude<Body[Name], 0 | 1> : Body[Name]
}

const names: ReadonlySet<string> = new Set([
  'managed',
  'hidden',
  'single',
  'unique',
  'primary_key',
  'auto_increment',
  'nullable',
  'signed',
  'hidden_detail',
  'hidden_browse',
  'required',
  'locked',
  'readonly',
])

export const withBooleans = <Body extends object>(body: Body): WithBooleans<Body> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, names.has(name) ? Boolean(value) : (value as unknown)]),
  ) as WithBooleans<Body>

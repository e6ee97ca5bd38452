import type { Setting } from '../../src/config/kinds.ts'
import { providerSettings } from '../../src/config/providers/provider-settings.ts'
import { locationSettings } from '../../src/config/settings/locations.ts'
import { settings } from '../../src/config/settings.ts'
import { code, head, table } from './table.ts'

type Rows = { readonly [name: string]: Setting<unknown> }

const about = `Settings are variables of the environment, or lines of a \`.env\` file beside it; the environment wins. \`NAME_FILE\` reads the value of \`NAME\` from a file. A value that is not as expected ends the start with the name, what was expected and what came; values of secrets are never printed. \`tandem start --help\` prints the same list.`

export const settingsPage = (): string =>
  [
    head('Settings', about),
    ...Object.entries(settings).map(([group, rows]) => section(group, rows as Rows)),
    section('Each storage location', locationSettings, 'STORAGE_<NAME>_'),
    ...Object.entries(providerSettings).map(([driver, rows]) =>
      section(`Each provider with the driver ${driver}`, rows as Rows, 'AUTH_<NAME>_'),
    ),
  ].join('\n')

const section = (title: string, rows: Rows, prefix = ''): string =>
  `## ${title}\n\n${table(
    ['setting', 'what', 'expected', 'default'],
    Object.entries(rows).map(([name, { about: what, expected, fallback }]) => [
      code(prefix + name),
      what,
      expected,
      code(fallback),
    ]),
  )}\n`

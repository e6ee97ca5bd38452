/** Reads the settings of its environment, as `npm start` does first; unknown ones are refused. */
import { readConfig } from '../../src/config/config.ts'
import { settingList } from '../../src/config/settings.ts'

const ofShell = new Set(['PATH', 'HOME', 'PWD', 'OLDPWD', 'SHLVL', '_'])
const given = Object.entries(process.env).flatMap(([name, value]) =>
  value === undefined || ofShell.has(name) ? [] : [[name, value] as const],
)
const known: ReadonlySet<string> = new Set(settingList.map(([name]) => name))
const { misspelt } = readConfig(Object.fromEntries(given), process.cwd())
const unknown = given.filter(([name]) => !known.has(name.replace(/_FILE$/, '')) && !/^(AUTH|STORAGE)_/.test(name))
if (misspelt.length + unknown.length > 0) {
  console.error(JSON.stringify({ misspelt, unknown: unknown.map(([name]) => name) }))
  process.exitCode = 1
}

import { expect, test } from 'vitest'
import { dialectOfVersion, faultOf } from './server.ts'

const served = [
  ['10.6.0-MariaDB', 'mysql'],
  ['10.11.19-MariaDB-0+deb12u1', 'mysql'],
  ['5.5.5-10.6.12-MariaDB-log', 'mysql'],
  ['11.8.2-MariaDB', 'mysql'],
  ['8.0.31', 'mysql8'],
  ['8.4.0-log', 'mysql8'],
  ['9.7.4-2', 'mysql8'],
] as const

test.each(served)('%s is served as %s', (version, dialect) => {
  expect(faultOf(version)).toBe(null)
  expect(dialectOfVersion(version)).toBe(dialect)
})

test.each(['8.0.30', '10.5.23-MariaDB', '5.7.44', '5.5.5-10.3.39-MariaDB', ''])('%j is refused', (version) =>
  expect(faultOf(version)).toBe(
    `Expected a server of MariaDB 10.6.0 or MySQL 8.0.31, or later, but received ${version}`,
  ),
)

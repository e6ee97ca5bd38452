import { expect, test } from 'vitest'
import { faultOf } from './server.ts'

test.each(['10.6.0-MariaDB', '10.11.19-MariaDB-0+deb12u1', '5.5.5-10.6.12-MariaDB-log', '11.8.2-MariaDB'])(
  '%s is served',
  (version) => expect(faultOf(version)).toBe(null),
)

test.each(['8.0.36', '8.4.0-log', '10.5.23-MariaDB', '5.7.44', '5.5.5-10.3.39-MariaDB', ''])(
  '%j is refused',
  (version) =>
    expect(faultOf(version)).toBe(
      `Expected a server of MariaDB 10.6 or later (MySQL is not served) but received ${version}`,
    ),
)

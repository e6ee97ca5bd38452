import { describe, expect, test } from 'vitest'
import type { FieldType } from '../../domain/query/field-types.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Column, Field } from '../../domain/schema/schema.ts'
import { plainColumn } from '../../domain/testing/test-columns.ts'
import { toStored } from './values.ts'

const fieldOf = (type: FieldType, of: Partial<Column> = {}, more: Partial<Field> = {}): Field => ({
  name: 'f',
  type,
  column: { ...plainColumn, name: 'f', ...of },
  special: [],
  concealed: false,
  validation: null,
  validationMessage: null,
  relation: null,
  meta: null,
  ...more,
})

const collection = { name: 'c' } as Collection

const store = (field: Field, raw: unknown): unknown => {
  try {
    return toStored(collection, field, raw)
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const [failure] = error.failures
    return failure.kind === 'failed-validation' ? `${failure.type} ${failure.field}` : failure.kind
  }
}

const wrong = 'type f'
const range = 'value-out-of-range'
const long = 'value-too-long'
const lone = '\ud800'

const rows: readonly (readonly [Field, readonly (readonly [raw: unknown, stored: unknown])[]])[] = [
  [
    fieldOf('string', { dataType: 'character varying', maxLength: 3 }),
    [
      ['abc', 'abc'],
      ['', ''],
      ['abcd', long],
      ['😀😀😀', '😀😀😀'],
      ['😀😀😀😀', long],
      [12, '12'],
      [true, long],
      [{}, wrong],
      [['a'], wrong],
      ['a\0', wrong],
      [lone, wrong],
      [null, null],
    ],
  ],
  [
    fieldOf('text'),
    [
      ['x'.repeat(100_000), 'x'.repeat(100_000)],
      [{ a: 1 }, wrong],
    ],
  ],
  [
    fieldOf('integer', { dataType: 'smallint' }),
    [
      [32_767, 32_767],
      [-32_768, -32_768],
      [32_768, range],
      ['7', 7],
      ['7.5', wrong],
      [7.5, wrong],
      ['', wrong],
      ['x', wrong],
      [true, wrong],
      [[], wrong],
    ],
  ],
  [
    fieldOf('integer', { dataType: 'integer' }),
    [
      [2_147_483_647, 2_147_483_647],
      [2_147_483_648, range],
      ['-2147483649', range],
      ['99999999999999999999999', range],
      [Number.NaN, wrong],
      [Number.POSITIVE_INFINITY, wrong],
    ],
  ],
  [
    fieldOf('bigInteger', { dataType: 'bigint' }),
    [
      ['9223372036854775807', '9223372036854775807'],
      ['9223372036854775808', range],
      ['-9223372036854775808', '-9223372036854775808'],
      [5, '5'],
      [2 ** 53, range],
      ['1e3', wrong],
      [1.5, wrong],
    ],
  ],
  [
    fieldOf('float', { dataType: 'real' }),
    [
      [1.5, 1.5],
      ['1.5', 1.5],
      [1e39, range],
      ['1e39', range],
      ['NaN', 'NaN'],
      [{}, wrong],
    ],
  ],
  [
    fieldOf('float', { dataType: 'double precision' }),
    [
      [1e39, 1e39],
      ['1e400', wrong],
    ],
  ],
  [
    fieldOf('decimal', { dataType: 'numeric', precision: 5, scale: 2 }),
    [
      ['999.99', '999.99'],
      [999.99, '999.99'],
      ['1000', range],
      ['999.994', '999.994'],
      ['999.995', range],
      ['-999.99', '-999.99'],
      ['0.001', '0.001'],
      ['00999', '00999'],
      ['1e3', range],
      ['1e2', '1e2'],
      ['1e-400', '1e-400'],
      ['x', wrong],
      ['', wrong],
    ],
  ],
  [
    fieldOf('decimal', { dataType: 'numeric' }),
    [['123456789012345678901234567890.5', '123456789012345678901234567890.5']],
  ],
  [
    fieldOf('boolean', { dataType: 'boolean' }),
    [
      [true, true],
      [false, false],
      ['true', true],
      ['0', false],
      [1, true],
      ['yes', wrong],
      [2, wrong],
      [null, null],
    ],
  ],
  [
    fieldOf('boolean', { dataType: 'smallint' }),
    [
      [true, 1],
      ['false', 0],
    ],
  ],
  [fieldOf('boolean', { dataType: 'character varying' }), [[true, 'true']]],
  [
    fieldOf('uuid', { dataType: 'uuid' }),
    [
      ['AAAAAAAA-0000-4000-8000-000000000000', 'aaaaaaaa-0000-4000-8000-000000000000'],
      ['x', wrong],
      [5, wrong],
      [{ kind: 'current-user', path: [] }, wrong],
    ],
  ],
  [
    fieldOf('date', { dataType: 'date' }),
    [
      ['2024-02-29', '2024-02-29'],
      ['2023-02-29', wrong],
      ['0044-02-29 BC', wrong],
      ['0045-02-29 BC', '0045-02-29 BC'],
      ['-000043-03-15', '0044-03-15 BC'],
      ['+012026-03-15', '12026-03-15'],
      ['0000-01-01', wrong],
      ['infinity', 'infinity'],
      ['2024-13-01', wrong],
      ['today', wrong],
      [0, wrong],
    ],
  ],
  [
    fieldOf('time', { dataType: 'time' }),
    [
      ['23:59', '23:59:00'],
      ['23:59:59.5', '23:59:59.5'],
      ['24:00', '24:00:00'],
      ['24:01', wrong],
    ],
  ],
  [
    fieldOf('dateTime', { dataType: 'timestamp' }),
    [
      ['2024-01-31T10:00:00', '2024-01-31T10:00:00'],
      ['2024-01-31 25:00:00', wrong],
      ['0001-01-01T00:30:00+01:00', '0001-12-31T23:30:00 BC'],
    ],
  ],
  [
    fieldOf('timestamp', { dataType: 'timestamptz' }),
    [
      ['2024-01-31T12:00:00+02:00', '2024-01-31T10:00:00Z'],
      ['2024-01-31T10:00:00.123Z', '2024-01-31T10:00:00.123Z'],
      ['soon', wrong],
    ],
  ],
  [
    fieldOf('json', { dataType: 'json' }),
    [
      [{ a: [1, 'x'] }, { a: [1, 'x'] }],
      ['plain', 'plain'],
      ['{"a":1}', { a: 1 }],
      ['[broken', '[broken'],
      [0, 0],
      [false, false],
      [{ a: 'x\0' }, wrong],
      [{ [lone]: 1 }, wrong],
      [
        { kind: 'now', milliseconds: 0, months: 0 },
        { kind: 'now', milliseconds: 0, months: 0 },
      ],
    ],
  ],
  [
    fieldOf('json', { dataType: 'text' }),
    [
      [{ a: 1 }, '{"a":1}'],
      ['x', '"x"'],
    ],
  ],
  [
    fieldOf('csv', { dataType: 'text' }),
    [
      [['a', 'b'], 'a,b'],
      ['a,b', 'a,b'],
      [['', 'a', ''], ',,a,,'],
      [['', 'a'], ',a'],
      [['', ''], ','],
      [[''], wrong],
      [['', '', ''], ',,,,'],
      [',a,', ',a,'],
      [[], ''],
      ['', ''],
      [[1, true], '1,true'],
      [[{}], wrong],
      [[null], wrong],
      [5, wrong],
    ],
  ],
  [
    fieldOf('csv', { dataType: 'ARRAY' }),
    [
      [['a'], ['a']],
      [[''], ['']],
      ['a,b', ['a', 'b']],
      ['', []],
    ],
  ],
  [
    fieldOf('binary', { dataType: 'bytea' }),
    [
      ['aGkK', String.raw`\x68690a`],
      [String.raw`\x68690a`, String.raw`\x68690a`],
      [String.raw`\x6`, wrong],
      ['', String.raw`\x`],
      ['a', wrong],
      ['####', wrong],
      [5, wrong],
    ],
  ],
  [
    fieldOf('geometry', { dataType: 'geometry' }),
    [
      [{ type: 'Point', coordinates: [1, 2] }, 'SRID=4326;POINT(1 2)'],
      ['{"type":"Point","coordinates":[1,2,3]}', 'SRID=4326;POINT(1 2 3)'],
      [{ type: 'Point', coordinates: ['1', 2] }, wrong],
      [{ type: 'Polygon', coordinates: [1, 2] }, wrong],
      [{ type: 'Circle', coordinates: [1, 2] }, wrong],
      [{ type: 'toString' }, wrong],
      ['POINT(1 2)', wrong],
      [[1, 2], wrong],
    ],
  ],
  [
    fieldOf('geometry', { dataType: 'geometry(Point,3857)' }),
    [
      [{ type: 'Point', coordinates: [1, 2] }, 'SRID=3857;POINT(1 2)'],
      [{ type: 'Point', coordinates: [1, 2, 3] }, wrong],
      [{ type: 'MultiPoint', coordinates: [[1, 2]] }, wrong],
      [null, null],
    ],
  ],
  [
    fieldOf('hash', { dataType: 'character varying', maxLength: 255 }),
    [
      ['secret', 'secret'],
      [{}, wrong],
    ],
  ],
  [fieldOf('unknown', { dataType: 'inet' }), [[['::1'], wrong]]],
  [
    fieldOf('unknown', { dataType: 'extra.hstore' }),
    [[{ 'a\n': '"x\\', b: null, c: [1] }, '"a\n"=>"\\"x\\\\","b"=>NULL,"c"=>"[1]"']],
  ],
  [fieldOf('unknown', { dataType: 'inet[]' }), [['::1', wrong]]],
  [fieldOf('string', { dataType: 'mood', values: ['sad', 'glad'] }), [['mad', 'in f']]],
  [fieldOf('integer', { dataType: 'integer', generated: true }), [[1, 'invalid-payload']]],
]

describe.each(
  rows.map(([field, cases]) => [`${field.type} in ${field.column?.dataType || 'text'}`, field, cases] as const),
)('%s', (_name, field, cases) => {
  test.each(cases.map(([raw, stored]) => [raw, stored] as const))('%j is stored as %j', (raw, stored) => {
    expect(store(field, raw)).toEqual(stored)
  })
})

const failureOf = (field: Field) => {
  try {
    toStored(collection, field, ['my password'])
  } catch (error) {
    return (error as TandemError).failures[0]
  }
  return null
}

test('a failure tells what was expected, and never a hidden value', () => {
  expect(failureOf(fieldOf('string'))).toEqual({
    kind: 'failed-validation',
    field: 'f',
    type: 'type',
    message: 'Expected a string for field "f" but received a list',
  })
  for (const hidden of [fieldOf('hash'), fieldOf('string', {}, { concealed: true })]) {
    expect(failureOf(hidden)).toMatchObject({ message: 'Expected a string for field "f"' })
  }
})

/** Changes of parameters and of bounds. */
import { answered, number, parameter, type Row, sent, text } from './document.ts'

export const parameterExamples: readonly Row[] = [
  ['a parameter is gone', [parameter(text), {}], 'breaking'],
  ['a new optional parameter', [{}, parameter(text)], 'safe'],
  ['a new demanded parameter', [{}, parameter(text, { required: true })], 'breaking'],
  [
    'a new demanded parameter with a default',
    [{}, parameter({ ...text, default: 'a' }, { required: true })],
    'breaking',
  ],
  ['a parameter is demanded', [parameter(text), parameter(text, { required: true })], 'breaking'],
  ['a parameter is optional', [parameter(text, { required: true }), parameter(text)], 'safe'],
  ['a parameter has another type', [parameter(text), parameter(number)], 'breaking'],
  ['a parameter takes a further type', [parameter(number), parameter({ type: ['integer', 'string'] })], 'safe'],
  ['an integer parameter takes any number', [parameter(number), parameter({ type: 'number' })], 'safe'],
  [
    'a parameter has another format',
    [parameter({ ...text, format: 'date' }), parameter({ ...text, format: 'uuid' })],
    'breaking',
  ],
  ['a parameter takes some values only', [parameter(text), parameter({ ...text, enum: ['a'] })], 'breaking'],
  ['a parameter loses a value', [parameter({ enum: ['a', 'b'] }), parameter({ enum: ['a'] })], 'breaking'],
  ['a parameter has a new value', [parameter({ enum: ['a'] }), parameter({ enum: ['a', 'b'] })], 'safe'],
  ['a parameter has a pattern', [parameter(text), parameter({ ...text, pattern: '^a' })], 'breaking'],
  [
    'a parameter has another pattern',
    [parameter({ ...text, pattern: '^a' }), parameter({ ...text, pattern: '^b' })],
    'breaking',
  ],
  ['a parameter has no pattern', [parameter({ ...text, pattern: '^a' }), parameter(text)], 'safe'],
  [
    'a pattern that every text has',
    [parameter({ ...text, pattern: '^a' }), parameter({ ...text, pattern: '.*' })],
    'safe',
  ],
  ['a parameter has a default', [parameter(text), parameter({ ...text, default: 'a' })], 'perhaps'],
  [
    'a parameter has another default',
    [parameter({ ...text, default: 'a' }), parameter({ ...text, default: 'b' })],
    'perhaps',
  ],
  ['a parameter has no default', [parameter({ ...text, default: 'a' }), parameter(text)], 'perhaps'],
  [
    'a demanded parameter has another default',
    [
      parameter({ ...text, default: 'a' }, { required: true }),
      parameter({ ...text, default: 'b' }, { required: true }),
    ],
    'none',
  ],
  ['a parameter is deprecated', [parameter(text), parameter(text, { deprecated: true })], 'none'],
  ...(['maximum', 'maxLength', 'maxItems'] as const).flatMap((name): readonly Row[] => [
    [`a parameter has a lower ${name}`, [parameter({ [name]: 9 }), parameter({ [name]: 5 })], 'breaking'],
    [`a parameter has a higher ${name}`, [parameter({ [name]: 5 }), parameter({ [name]: 9 })], 'safe'],
    [`a request has a ${name}`, sent({}, { [name]: 5 }), 'breaking'],
    [`a request has no ${name}`, sent({ [name]: 5 }, {}), 'safe'],
    [`an answer has a higher ${name}`, answered({ [name]: 5 }, { [name]: 9 }), 'perhaps'],
    [`an answer has a lower ${name}`, answered({ [name]: 9 }, { [name]: 5 }), 'safe'],
    [`an answer has no ${name}`, answered({ [name]: 9 }, {}), 'perhaps'],
  ]),
  ...(['minimum', 'minLength', 'minItems'] as const).flatMap((name): readonly Row[] => [
    [`a parameter has a higher ${name}`, [parameter({ [name]: 5 }), parameter({ [name]: 9 })], 'breaking'],
    [`a request has a lower ${name}`, sent({ [name]: 9 }, { [name]: 5 }), 'safe'],
    [`an answer has a lower ${name}`, answered({ [name]: 9 }, { [name]: 5 }), 'perhaps'],
    [`an answer has a higher ${name}`, answered({ [name]: 5 }, { [name]: 9 }), 'safe'],
  ]),
  [
    'a maximum no longer belongs to the range',
    sent({ maximum: 5 }, { maximum: 5, exclusiveMaximum: true }),
    'breaking',
  ],
  [
    'a minimum belongs to the range',
    sent({ minimum: 5, exclusiveMinimum: true }, { minimum: 5, exclusiveMinimum: false }),
    'safe',
  ],
]

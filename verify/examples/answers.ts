/** Changes of what clients receive. */
import { answered, header, json, kinds, number, object, type Row, required, text } from './document.ts'

export const answerExamples: readonly Row[] = [
  ['a status of success is gone', [{ responses: { 201: { description: 'Made.' } } }, {}], 'breaking'],
  ['a status of failure is gone', [{ responses: { 404: { description: 'None.' } } }, {}], 'perhaps'],
  ['a new status', [{}, { responses: { 404: { description: 'None.' } } }], 'safe'],
  [
    'an answer loses a media type',
    [{ answer: { content: { ...json(text), 'text/csv': {} } } }, { answer: { content: json(text) } }],
    'breaking',
  ],
  ['a demanded header is gone', [header({ required: true }), {}], 'breaking'],
  ['an optional header is gone', [header({}), {}], 'perhaps'],
  ['a header may be missing', [header({ required: true }), header({})], 'breaking'],
  ['a new demanded header', [{}, header({ required: true })], 'none'],
  [
    'an answered property is gone',
    [{ answered: object({ name: text }, required) }, { answered: object({}) }],
    'breaking',
  ],
  [
    'an optional answered property is gone',
    [{ answered: object({ name: text }) }, { answered: object({}) }],
    'breaking',
  ],
  [
    'an answered property of a part is gone',
    answered({ allOf: [object({ name: text }, required)] }, { allOf: [object({})] }),
    'breaking',
  ],
  [
    'an answered property that is never answered is gone',
    [{ answered: object({ name: { ...text, writeOnly: true } }) }, { answered: object({}) }],
    'none',
  ],
  [
    'a property is never answered, and may be missing',
    [
      { answered: object({ name: { ...text, writeOnly: true } }, required) },
      { answered: object({ name: { ...text, writeOnly: true } }) },
    ],
    'none',
  ],
  [
    'a property is no longer answered',
    [{ answered: object({ name: text }) }, { answered: object({ name: { ...text, writeOnly: true } }) }],
    'breaking',
  ],
  [
    'a property is answered',
    [{ answered: object({ name: { ...text, writeOnly: true } }) }, { answered: object({ name: text }) }],
    'none',
  ],
  [
    'an answered property may be missing',
    [{ answered: object({ name: text }, required) }, { answered: object({ name: text }) }],
    'breaking',
  ],
  [
    'an answered property of a variant may be missing',
    answered(kinds('oneOf', object({ name: text }, required)), kinds('oneOf', object({ name: text }))),
    'breaking',
  ],
  [
    'an answered property is never missing',
    [{ answered: object({ name: text }) }, { answered: object({ name: text }, required) }],
    'safe',
  ],
  ['a new answered property', [{ answered: object({}) }, { answered: object({ name: text }, required) }], 'safe'],
  ['an answer may be null', [{ answered: text }, { answered: { ...text, nullable: true } }], 'breaking'],
  [
    'an answered property may be null',
    answered(object({ inner: text }), object({ inner: { type: ['string', 'null'] } })),
    'breaking',
  ],
  ['an answer has another type', [{ answered: text }, { answered: number }], 'breaking'],
  ['an answered number in place of an integer', answered(number, { type: 'number' }), 'breaking'],
  ['an answered integer in place of a number', answered({ type: 'number' }, { ...number, format: 'int32' }), 'safe'],
  ['an answered integer in place of a text', answered(text, { ...number, format: 'int32' }), 'breaking'],
  ['an answered property has several types', answered(text, { type: ['string', 'integer'] }), 'breaking'],
  [
    'an answered property has another format',
    answered({ ...text, format: 'date' }, { ...text, format: 'uuid' }),
    'perhaps',
  ],
  ['an answered property has a new value', answered({ enum: ['a'] }, { enum: ['a', 'b'] }), 'perhaps'],
  ['an answered property loses a value', answered({ enum: ['a', 'b'] }, { enum: ['a'] }), 'safe'],
  ['an answered property has another default', answered({ default: 'a' }, { default: 'b' }), 'safe'],
  ['an answered property has another pattern', answered({ pattern: '^a' }, { pattern: '^b' }), 'perhaps'],
  ['an answered property has a pattern', answered({}, { pattern: '^a' }), 'safe'],
]

/** Changes of what clients send. */
import { answered, json, kinds, node, number, object, type Row, required, sent, text } from './document.ts'

export const requestExamples: readonly Row[] = [
  ['a body is demanded where none was', [{ body: null }, {}], 'breaking'],
  ['an optional body where none was', [{ body: null }, { body: { content: json(text) } }], 'none'],
  [
    'a body is demanded',
    [{ body: { content: json(text) } }, { body: { required: true, content: json(text) } }],
    'breaking',
  ],
  [
    'a body is optional',
    [{ body: { required: true, content: json(text) } }, { body: { content: json(text) } }],
    'none',
  ],
  [
    'a body loses a media type',
    [{ body: { content: { ...json(text), 'text/csv': {} } } }, { body: { content: json(text) } }],
    'breaking',
  ],
  ['a body has another type', [{ sent: text }, { sent: number }], 'breaking'],
  ['a body takes some values only', [{ sent: text }, { sent: { ...text, enum: ['a'] } }], 'breaking'],
  ['a body is no longer null', [{ sent: { type: ['string', 'null'] } }, { sent: text }], 'breaking'],
  ['a body may be null', [{ sent: text }, { sent: { ...text, nullable: true } }], 'safe'],
  [
    'a property is demanded',
    [{ sent: object({ name: text }) }, { sent: object({ name: text }, required) }],
    'breaking',
  ],
  [
    'a property of items is demanded',
    sent({ type: 'array', items: object({ name: text }) }, { type: 'array', items: object({ name: text }, required) }),
    'breaking',
  ],
  [
    'a property of a variant is demanded',
    sent(kinds('anyOf', object({ name: text })), kinds('anyOf', object({ name: text }, required))),
    'breaking',
  ],
  [
    'a demanded property is optional',
    [{ sent: object({ name: text }, required) }, { sent: object({ name: text }) }],
    'safe',
  ],
  ['a new demanded property', [{ sent: object({}) }, { sent: object({ name: text }, required) }], 'breaking'],
  [
    'a new demanded property with a default',
    [{ sent: object({}) }, { sent: object({ name: { ...text, default: 'a' } }, required) }],
    'breaking',
  ],
  ['a new optional property', [{ sent: object({}) }, { sent: object({ name: text }) }], 'safe'],
  [
    'a new demanded property that only the server sets',
    [{ sent: object({}) }, { sent: object({ name: { ...text, readOnly: true } }, required) }],
    'safe',
  ],
  [
    'a demanded property that only the server sets',
    [
      { sent: object({ name: { ...text, readOnly: true } }) },
      { sent: object({ name: { ...text, readOnly: true } }, required) },
    ],
    'safe',
  ],
  ['a demanded name without a property', [{ sent: object({}) }, { sent: object({}, required) }], 'none'],
  ['a property of a request is gone', [{ sent: object({ name: text }) }, { sent: object({}) }], 'perhaps'],
  [
    'a demanded property of a request is gone',
    [{ sent: object({ name: text }, required) }, { sent: object({}) }],
    'perhaps',
  ],
  ['a property is no longer null', sent({ type: ['string', 'null'] }, text), 'breaking'],
  ['a property may be null', sent(text, { type: ['string', 'null'] }), 'safe'],
  ['an object in place of a list', sent({ type: 'array', items: text }, object({})), 'breaking'],
  ['an integer in place of a number', sent({ type: 'number' }, number), 'breaking'],
  ['a number in place of an integer', sent(number, { type: 'number' }), 'safe'],
  ['a property loses a value', sent({ enum: ['a', 'b'] }, { enum: ['a'] }), 'breaking'],
  ['a property has a pattern', sent(text, { ...text, pattern: '^a' }), 'breaking'],
  ['a pattern of something that contains itself', [node(text), node({ ...text, pattern: '^a' })], 'breaking'],
  ['a property has a default', sent(text, { ...text, default: 'a' }), 'perhaps'],
  ['a property has another default', sent({ default: 'a' }, { default: 'b' }), 'perhaps'],
  [
    'a part that demands more',
    sent({ allOf: [object({ name: text })] }, { allOf: [object({ name: text }), object({}, required)] }),
    'breaking',
  ],
  [
    'a part that demanded is gone',
    sent({ allOf: [object({ name: text }), object({}, required)] }, { allOf: [object({ name: text })] }),
    'safe',
  ],
  ...(['oneOf', 'anyOf'] as const).flatMap((name): readonly Row[] => [
    [`a request loses a variant of ${name}`, sent(kinds(name, text, number), kinds(name, text)), 'breaking'],
    [`a request has a new variant of ${name}`, sent(kinds(name, text), kinds(name, text, number)), 'safe'],
    [`an answer has a new variant of ${name}`, answered(kinds(name, text), kinds(name, text, number)), 'breaking'],
    [`an answer loses a variant of ${name}`, answered(kinds(name, text, number), kinds(name, text)), 'safe'],
  ]),
  [
    'a discriminator',
    sent(kinds('oneOf', text), { ...(kinds('oneOf', text) as object), discriminator: { propertyName: 'kind' } }),
    'perhaps',
  ],
  [
    'another property tells variants apart',
    answered({ discriminator: { propertyName: 'a' } }, { discriminator: { propertyName: 'b' } }),
    'perhaps',
  ],
  [
    'another mapping of variants',
    answered({ discriminator: { propertyName: 'a' } }, { discriminator: { propertyName: 'a', mapping: { x: 'X' } } }),
    'perhaps',
  ],
  [
    'other types of items by their place',
    sent({ prefixItems: [text, number] }, { prefixItems: [number, text] }),
    'breaking',
  ],
]

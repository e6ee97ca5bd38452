/** Differences between two GraphQL schemas, by type. */
import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import type { Change, Severity } from './change.ts'

type DescribedPart = { readonly type: string; readonly field: string | null; readonly description: string }

export function compareSdl(before: string, after: string): readonly Change[] {
  const [old, now] = [before, after].map((text) => buildSchema(text, { assumeValid: true }))
  if (old === undefined || now === undefined) return []
  return [
    ...findBreakingChanges(old, now).map((each) => toChange(named(each), 'breaking')),
    ...rootChanges(old, now).map((each) => toChange(each, 'breaking')),
    ...directiveArguments(old, now),
    ...findDangerousChanges(old, now).map((each) => toChange(named(each), 'perhaps')),
    ...inputDefaults(old, now).map((each) => toChange(each, 'perhaps')),
    ...additions(old, now).map((each) => toChange(each, 'safe')),
  ]
}

/** Descriptions begin with the name of the type and the field. */
function named({ type, description }: { readonly type: string; readonly description: string }): DescribedPart {
  const [, owner, member] = /\b([A-Za-z_]\w*)\.(\w+)/.exec(description) ?? []
  if (owner !== undefined) return { type: owner, field: member ?? null, description }
  const [, value, ofEnum] = /^(\w+) was (?:removed from|added to) enum type (\w+)\.$/.exec(description) ?? []
  if (ofEnum !== undefined) return { type: ofEnum, field: value ?? null, description }
  const rest = description.replace(
    /^(Type|An arg on|An optional arg \w+ on|Standard type|Enum value|A required arg \w+ on|Input field|A required field \w+ on input type|An optional field \w+ on input type) /,
    '',
  )
  const last = /(?:type|enum|union) (\w+)\W*$/.exec(rest)?.[1]
  const first = /\b(\w+)/.exec(rest)?.[1]
  return { type: last ?? first ?? type, field: null, description }
}

function rootChanges(old: GraphQLSchema, now: GraphQLSchema): readonly DescribedPart[] {
  const roots = ['getQueryType', 'getMutationType', 'getSubscriptionType'] as const
  return roots.flatMap((root) => {
    const [before, after] = [old[root]()?.name, now[root]()?.name]
    if (before === undefined || before === after) return []
    const description = `The root type ${before} is ${after === undefined ? 'removed' : `now ${after}`}.`
    return [{ type: before, field: null, description }]
  })
}

function inputDefaults(old: GraphQLSchema, now: GraphQLSchema): readonly DescribedPart[] {
  return Object.values(old.getTypeMap()).flatMap((type) => {
    const other = now.getType(type.name)
    if (!isInputObjectType(type) || !isInputObjectType(other)) return []
    return Object.values(type.getFields()).flatMap((field) => {
      const is = other.getFields()[field.name]
      if (is === undefined || defaultOf(field) === defaultOf(is)) return []
      const description = `The default of ${type.name}.${field.name} is ${defaultOf(is)}.`
      return [{ type: type.name, field: field.name, description }]
    })
  })
}

/** Types and defaults of the arguments of directives, which the library does not compare. */
function directiveArguments(old: GraphQLSchema, now: GraphQLSchema): readonly Change[] {
  return old.getDirectives().flatMap(({ name, args }) =>
    args.flatMap((was) => {
      const is = now.getDirective(name)?.args.find((each) => each.name === was.name)
      if (is === undefined) return []
      const part = { type: `@${name}`, field: was.name }
      const [before, after] = [String(was.type), String(is.type)]
      const changes: readonly (readonly [isOther: boolean, words: string, severity: Severity])[] = [
        // What was demanded may now be left out.
        [before !== after, `has type ${after} in place of ${before}`, before === `${after}!` ? 'safe' : 'breaking'],
        [defaultOf(was) !== defaultOf(is), `is ${defaultOf(is)} by default`, 'perhaps'],
      ]
      return changes
        .filter(([isOther]) => isOther)
        .map(([, words, severity]) => toChange({ ...part, description: `@${name}(${was.name}) ${words}.` }, severity))
    }),
  )
}

/** The default of an argument or input field as JSON; of both major versions of the library. */
export const defaultOf = (field: object): string => {
  const { defaultValue, default: input } = field as { readonly defaultValue?: unknown; readonly default?: unknown }
  return JSON.stringify(input ?? defaultValue ?? null)
}

/** New types, fields and directives that nobody needs, and announcements. */
function additions(old: GraphQLSchema, now: GraphQLSchema): readonly DescribedPart[] {
  const directives = now.getDirectives().filter(({ name }) => old.getDirective(name) == null)
  return [
    ...directives.map(({ name }) => ({ type: `@${name}`, field: null, description: `@${name} is new.` })),
    ...Object.values(now.getTypeMap()).flatMap((type): readonly DescribedPart[] => {
      if (type.name.startsWith('__')) return []
      const before = old.getType(type.name)
      if (before === undefined) return [{ type: type.name, field: null, description: `${type.name} is new.` }]
      const [were, are] = [partsOf(before), partsOf(type)]
      return Object.values(are).flatMap((part): readonly DescribedPart[] => {
        const names = { type: type.name, field: part.name }
        const was = were[part.name]
        if (was === undefined)
          return isEnumType(type) ? [] : [{ ...names, description: `${type.name}.${part.name} is new.` }]
        const [had, has] = [was.deprecationReason ?? null, part.deprecationReason ?? null]
        if ((had === null) === (has === null)) return []
        return [
          { ...names, description: `${type.name}.${part.name} is ${has === null ? 'no longer ' : ''}deprecated.` },
        ]
      })
    }),
  ]
}

type Part = { readonly name: string; readonly deprecationReason?: string | null | undefined }

/** Fields that are answered, and values. */
function partsOf(type: GraphQLNamedType): { readonly [name: string]: Part } {
  if (isObjectType(type) || isInterfaceType(type)) return type.getFields()
  return isEnumType(type) ? Object.fromEntries(type.getValues().map((value) => [value.name, value])) : {}
}

const toChange = ({ type, field, description }: DescribedPart, severity: Severity): Change => ({
  severity,
  isBreaking: severity === 'breaking',
  operation: type,
  text: description,
  sdk: null,
  location: { operation: null, called: null, path: field === null ? type : `${type}.${field}`, access: 'any' },
  clients: null,
})

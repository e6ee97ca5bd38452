/** Limits on documents, checked before validation and execution. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  Lexer,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql'
import type { DocumentLimits } from '../domain/ports/settings.ts'

export const defaultLimits: DocumentLimits = {
  introspection: true,
  tokens: 5000,
  depth: 20,
  aliases: 200,
  rootFields: 50,
  directives: 100,
  persisted: null,
}

/** The reason for refusing a document; null for none. */
type Refusal = string | null

/** Maximum nesting of brackets, because the parser is recursive. */
const mostBrackets = 200

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Checks the text. Invalid syntax is left to the parser, which reports it. */
export function refuseText(text: string, { tokens }: DocumentLimits): Refusal {
  const lexer = new Lexer(new Source(text))
  let count = 0
  let brackets = 0
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      count += 1
      if (count > tokens) return `Expected at most ${tokens} tokens in a document`
      if (opening.has(token.kind)) brackets += 1
      else if (closing.has(token.kind)) brackets -= 1
      if (brackets > mostBrackets) return `Expected at most ${mostBrackets} brackets in each other`
    }
  } catch {
    return null
  }
  return null
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Counters of one operation; fragments count wherever they are spread. */
type CountingState = {
  readonly fragments: Fragments
  readonly limits: DocumentLimits
  /** Number of fields by path: validation compares these pairwise. */
  readonly same: Map<string, number>
  fields: number
  rootFields: number
  aliases: number
  directives: number
  refusal: Refusal
}

const mostSame = 50

/** Counts the document. Recursive spreads end at the depth limit. */
export function refuseDocument({ definitions }: DocumentNode, limits: DocumentLimits): Refusal {
  const named = definitions.flatMap((each) =>
    each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
  )
  const fragments: Fragments = new Map(named)
  const state: CountingState = {
    fragments,
    limits,
    same: new Map(),
    fields: 0,
    rootFields: 0,
    aliases: 0,
    directives: 0,
    refusal: null,
  }
  for (const [at, definition] of definitions.entries()) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) {
      count(state, 'directives', definition.directives?.length ?? 0)
      const isOperation = definition.kind === Kind.OPERATION_DEFINITION
      state.rootFields = 0
      visit(state, definition.selectionSet, { depth: 1, path: `${at}`, spreads: 0, isRoot: isOperation })
    }
    if (state.refusal !== null) return state.refusal
  }
  return null
}

type Level = { readonly depth: number; readonly path: string; readonly spreads: number; readonly isRoot: boolean }

function visit(state: CountingState, { selections }: SelectionSetNode, level: Level): void {
  if (level.depth > state.limits.depth) state.refusal ??= `Expected at most ${state.limits.depth} fields in each other`
  for (const node of selections) {
    if (state.refusal !== null) return
    count(state, 'directives', node.directives?.length ?? 0)
    if (node.kind === Kind.FIELD) visitField(state, node, level)
    else visitFragment(state, node, level)
  }
}

function visitField(state: CountingState, node: Extract<SelectionNode, { kind: Kind.FIELD }>, level: Level): void {
  const key = node.alias?.value ?? node.name.value
  const path = `${level.path}.${key}`
  if (node.alias !== undefined) count(state, 'aliases', 1)
  if (level.isRoot) count(state, 'rootFields', 1)
  count(state, 'fields', 1)
  const same = (state.same.get(path) ?? 0) + 1
  state.same.set(path, same)
  if (same > mostSame) state.refusal ??= `Expected the same field at most ${mostSame} times in one place`
  if (node.selectionSet !== undefined)
    visit(state, node.selectionSet, { depth: level.depth + 1, path, spreads: 0, isRoot: false })
}

/** Nested fragments add no field, so they need a limit of their own. */
function visitFragment(state: CountingState, node: Exclude<SelectionNode, { kind: Kind.FIELD }>, level: Level): void {
  const inner = node.kind === Kind.INLINE_FRAGMENT ? node : state.fragments.get(node.name.value)
  if (inner === undefined) return
  const spreads = level.spreads + 1
  count(state, 'fields', 1)
  if (spreads > state.limits.depth) state.refusal ??= `Expected at most ${state.limits.depth} fragments in each other`
  else visit(state, inner.selectionSet, { ...level, spreads })
}

const counted = {
  fields: 'fields in a document',
  rootFields: 'fields of Query or Mutation in an operation',
  aliases: 'aliases in a document',
  directives: 'directives in a document',
} as const

function count(state: CountingState, what: keyof typeof counted, more: number): void {
  state[what] += more
  const most = what === 'fields' ? state.limits.tokens : state.limits[what]
  if (state[what] > most) state.refusal ??= `Expected at most ${most} ${counted[what]}`
}

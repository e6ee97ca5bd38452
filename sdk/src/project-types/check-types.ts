/** `types --check`: which types of a file are no longer what the data model says. */

type Members = ReadonlyMap<string, string>

/** One line for each type and each of its members that differs; empty if the texts say the same. */
export function typeDifferences(before: string, after: string): readonly string[] {
  const [old, fresh] = [declarationsIn(before), declarationsIn(after)]
  const names = [...new Set([...old.keys(), ...fresh.keys()])].toSorted()
  return names.flatMap((name): readonly string[] => {
    const [was, is] = [old.get(name), fresh.get(name)]
    if (was === undefined) return [`${name} is new`]
    if (is === undefined) return [`${name} is gone`]
    return membersThatDiffer(name, was, is)
  })
}

function membersThatDiffer(name: string, was: Members, is: Members): readonly string[] {
  const members = [...new Set([...was.keys(), ...is.keys()])].toSorted()
  return members.flatMap((member): readonly string[] => {
    const [old, fresh] = [was.get(member), is.get(member)]
    if (old === fresh) return []
    const place = member === '' ? name : `${name}.${member}`
    if (old === undefined) return [`${place} is new: ${fresh}`]
    return [fresh === undefined ? `${place} is gone` : `${place}: ${old} → ${fresh}`]
  })
}

/** A use of a path such as `books.author.name`. */
type Use = { readonly path: string }

/** The uses of each member, such as `Books.title`, and of each type, by the types of a file. */
export function usesOfTypes<U extends Use>(text: string, uses: readonly U[]): ReadonlyMap<string, readonly U[]> {
  const types = declarationsIn(text)
  const roots = types.get('Schema') ?? new Map<string, string>()
  const found = new Map<string, U[]>()
  for (const use of uses) {
    const [root = '', ...names] = use.path.split('.')
    let type = typeIn(types, roots.get(root))
    for (const name of names.slice(0, -1)) type = typeIn(types, memberOf(types, type, name))
    if (type === null) continue
    const place = names.length === 0 ? type : `${type}.${names.at(-1) ?? ''}`
    found.set(place, [...(found.get(place) ?? []), use])
  }
  return found
}

type Declared = ReadonlyMap<string, Members>

const memberOf = (types: Declared, type: string | null, name: string): string | undefined =>
  type === null ? undefined : (types.get(type)?.get(name) ?? types.get(type)?.get(`${name}?`))

/** The first type of the file that the text of a type names. */
const typeIn = (types: Declared, text: string | undefined): string | null =>
  (text?.match(/\w+/g) ?? []).find((word) => types.has(word)) ?? null

/** Exported types by name, with their members; what is no member has the name ''. */
function declarationsIn(text: string): ReadonlyMap<string, Members> {
  const declarations = new Map<string, Map<string, string>>()
  let members: Map<string, string> | null = null
  for (const line of text.split('\n')) {
    const [, name, rest = ''] = /^export (?:interface|type) (\w+)\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) {
      members = new Map([['', rest.trim()]])
      declarations.set(name, members)
      continue
    }
    const [, member, type = ''] = /^ {2}(?:readonly )?('[^']*'|[\w$]+\??): (.*)$/.exec(line) ?? []
    if (member !== undefined && members !== null) members.set(member, type)
    else if (members !== null && /^\s*\|/.test(line)) members.set('', `${members.get('') ?? ''} ${line.trim()}`)
  }
  return declarations
}

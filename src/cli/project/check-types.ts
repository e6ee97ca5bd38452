/** `tandem types --check`: which types of a file are no longer what the data model says. */

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

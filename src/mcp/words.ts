/** Words of people and of the API: their stems, and what else means the same. */

/** The words of a text as stems, in order: `readItems_blog_posts` has read, item, blog and post. */
export const stemsOf = (text: string): readonly string[] =>
  (text.replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    stem(word.toLowerCase()),
  )

/** A word without the endings of plurals and verbs. Not each stem is a word: `categories` and `category` have one. */
export function stem(word: string): string {
  if (word.length < 4) return word
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/([sxz]|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
  const root = singular.replace(/(?:ing|ed)$/, '')
  const isShort = root === singular || root.length < 3
  return (isShort ? singular : root.replace(/([bdgmnprt])\1$/, '$1')).replace(/e$/, '')
}

/** What people say, in front, and what the API calls it. */
const meanings = `
add append insert make new put register: create
post save submit: create update
count fetch find get list look lookup open search see show view what which: read
change correct edit fix modify move rename replace set assign archive publish unpublish activate deactivate switch: update
drop erase remove trash clean: delete
attach download image media photo picture document pdf upload video asset cover: file import
attach upload: update create
directory: folder
account author colleague employee member people person profile user: user
who: user permission
group team: role
allowed allow can give grant may might permitted right access forbid permission: permission policy
access grant: access policy
why explain refused denied reason: explain permission
rollback undo restore recover: revert
happened log audit history recent yesterday today: activity revision
history old previous earlier: revision version
draft preview: version
approve publish release promote: promote version
diff difference: compare
column property attribute: field
table entity type: collection
reference link foreign: relation
link public guest visitor: share
remark reply discuss: comment
language translate text label: translation
message mail alert inform: notification
bookmark view layout: preset
chart widget: panel dashboard
callback hook: webhook
call notify service when whenever: create webhook
configuration config preference name logo: setting
order reorder position up down first last: sort
several together transaction atomic bulk once: batch
many number total sum average most least: read aggregate
login log sign: provider
key token: key
i me my myself mine own: me
client application app uses usage: usage
model schema structure: snapshot collection
`

/** Stems of the words that people say, each with the stems that the API has for it. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = readMeanings()

function readMeanings(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of meanings.trim().split('\n')) {
    const [said = '', meant = ''] = line.split(':')
    for (const word of stemsOf(said)) found.set(word, new Set([...(found.get(word) ?? []), ...stemsOf(meant)]))
  }
  return found
}

/** Stems of words that say nothing about an operation. */
const empty: ReadonlySet<string> = new Set(
  stemsOf(
    'a about again all also am an and any are as at be been by could does each every for from had has have how if in into is it its just let like must of off on onto or our please should so some that the their them then there these they this those to too us want was we were will with would you your',
  ),
)

/** Words of a request as stems, without those that say nothing; all of them if none would be left. */
export function askedStems(text: string): readonly string[] {
  const all = [...new Set(stemsOf(text))]
  const telling = all.filter((word) => !empty.has(word))
  return telling.length === 0 ? all : telling
}

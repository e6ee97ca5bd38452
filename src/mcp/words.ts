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

/** Words of people, in front, and what the API calls it. */
const meanings = `
add append insert new put register: create
make post save submit: create update
count download export fetch find get list look lookup open search see show view what when which who why how is: read
change correct edit fix mark modify move rename replace set assign archive publish unpublish activate deactivate switch: update
drop erase remove revoke trash clean: delete
attach image media photo picture document pdf upload video asset cover: file import
attach upload: update create
directory: folder
account author colleague employee member people person profile user: user
who: user permission
group team: role
allowed allow can may might permitted right access forbid permission: permission
give grant: create permission
assign attach: access
why explain refused denied reason: explain permission
rollback undo restore recover: revert
happened log audit history recent yesterday today week month ago: activity revision
history old previous earlier: revision version
draft preview: version
approve live publish release promote: promote version
diff difference: compare
column property attribute required optional mandatory unique: field
table entity type: collection
reference foreign: relation
link connect relate: create relation
link public guest visitor: share
remark reply discuss: comment
language translate text label: translation
message mail alert inform notify remind: notification
bookmark view layout: preset
chart widget: panel dashboard
callback hook: webhook
failed again retry resend: delivery
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

/** Stems of the words of people, each with the stems that the API has for it. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = readMeanings()

function readMeanings(): ReadonlyMap<string, ReadonlySet<string>> {
  const stemsByWord = new Map<string, Set<string>>()
  for (const line of meanings.trim().split('\n')) {
    const [words = '', synonyms = ''] = line.split(':')
    for (const word of stemsOf(words))
      stemsByWord.set(word, new Set([...(stemsByWord.get(word) ?? []), ...stemsOf(synonyms)]))
  }
  return stemsByWord
}

const questions: ReadonlySet<string> = new Set(stemsOf('who what when which why how is'))

const [create, read, update, remove] = ['create', 'read', 'update', 'delete'].map(stem) as [
  string,
  string,
  string,
  string,
]
const writes: readonly string[] = [create, update, remove]

const verbsOf = (word: string): readonly string[] =>
  [read, ...writes].filter((verb) => verb === word || synonyms.get(word)?.has(verb) === true)

/** What is to be done: the verbs that the first word means; a question asks to read. Null if it means none. */
export function requestedVerbs(words: readonly string[]): ReadonlySet<string> | null {
  const [first = ''] = words
  const verbs = questions.has(first) ? [read] : verbsOf(first)
  return verbs.length === 0 ? null : new Set(verbs)
}

/** "Who changed it", "what was deleted": a question about a write asks for history. */
export const asksForHistory = ([first = '', ...others]: readonly string[]): boolean =>
  /^(?:who|what|when)$/.test(first) && others.some((word) => verbsOf(word).some((verb) => writes.includes(verb)))

/** Stems of words that say nothing about an operation. */
const empty: ReadonlySet<string> = new Set(
  stemsOf(
    'a about again all also am an and any are as at be been by could does each every for from had has have how if in into is it its just let like must of off on onto or our please should so some that the their them then there these they this those to too us want was we were will with would you your',
  ),
)

/** Words of a request as stems, without those that say nothing; all of them if none would be left. */
export function searchStems(text: string): readonly string[] {
  const all = [...new Set(stemsOf(text))]
  const telling = all.filter((word) => !empty.has(word))
  return telling.length === 0 ? all : telling
}

import { expect, test } from 'vitest'
import { joinRuns, type MemberChange } from './members.ts'

const change = (kind: MemberChange['kind'], ...values: readonly string[]): MemberChange => ({ kind, values })

test('changes of one kind that follow each other are made together, in their order', () => {
  const paths = ['members[value eq "a"]', 'members[value eq "b"]'] as const
  const changes = [
    ...paths.map((path) => change('remove-where', path)),
    change('add', 'c'),
    change('add', 'd', 'e'),
    change('replace', 'f'),
    change('replace', 'g'),
    change('remove', 'g'),
    change('add', 'h'),
  ]
  expect(joinRuns(changes)).toEqual([
    change('remove-where', ...paths),
    change('add', 'c', 'd', 'e'),
    change('replace', 'f'),
    change('replace', 'g'),
    change('remove', 'g'),
    change('add', 'h'),
  ])
})

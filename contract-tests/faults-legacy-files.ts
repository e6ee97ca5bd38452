/** Requests for files in the legacy generation that depend on the data of the world. */
import type { Extra } from './data-cases.ts'
import { legacy, type Part } from './extras.ts'

const { refused, accepted } = legacy

const later = { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }

/** Responses that every delivery of contents can give. */
const contents = (operation: string, missing: Part['path']): readonly Extra[] => [
  accepted(operation, 'a range', { headers: { range: 'bytes=0-9' } }),
  refused(operation, 'a range beyond the end', { headers: { range: 'bytes=100000-' } }),
  refused(operation, 'contents that are other ones', { headers: { 'if-match': '"other"' } }),
  accepted(operation, 'what the client has', { headers: later }),
  refused(operation, 'no such file', { path: missing ?? {} }),
]

const blindly = ['createFile', 'updateFiles', 'updateFile', 'createFolders', 'updateFolders', 'updateFolder']
const taken = { name: 'Held', parent_folder: 906 }
const numbered = [
  'readFileRevisions',
  'readFileRevision',
  'revertFile',
  'readFile',
  'updateFile',
  'deleteFile',
  'readFolder',
  'updateFolder',
  'deleteFolder',
]
const listed = ['updateFiles', 'updateFolders']
const named = { filename_disk: 'hello.txt', filename_download: 'hello.txt' }

/** Cases of the history of items. */
export const legacyHistoryFaults: readonly Extra[] = [
  ...['readItemRevisions', 'readItemRevision', 'revertItem'].map((operation) =>
    refused(operation, 'an item that may not be seen', { path: { id: '5' }, as: 'editor' }),
  ),
  ...['readItemRevision', 'revertItem'].map((operation) =>
    refused(operation, 'several items', { path: { id: '1,2' } }),
  ),
  ...['1,2', '+'].map((id) => accepted('readItemRevisions', `no revisions of ${id}`, { path: { id } })),
  refused('readItemRevision', 'a place where none is', { path: { offset: '9' } }),
  refused('revertItem', 'a revision of something else', { path: { id: '2' } }),
  refused('revertItem', 'a value that somebody else has since', { path: { id: '3', revision: '903' } }),
  refused('revertItem', 'a row that is gone since', { path: { id: '3', revision: '904' } }),
]

export const legacyFileFaults: readonly Extra[] = [
  refused('createFolders', 'a name that is taken', { body: taken }),
  refused('updateFolders', 'a name that is taken', { body: [{ id: 908, ...taken }] }),
  refused('updateFolder', 'a name that is taken', { path: { id: '908' }, body: taken }),
  ...blindly.map((operation) => accepted(operation, 'a change that its author cannot read', { as: 'writer' })),
  ...numbered.flatMap((operation) => [
    refused(operation, 'no such row', { path: { id: '999999' } }),
    // What is no key has no revisions.
    (operation === 'readFileRevisions' ? accepted : refused)(operation, 'a key that is no number', {
      path: { id: 'one' },
    }),
  ]),
  ...['deleteFile', 'deleteFolder'].map((operation) =>
    accepted(operation, 'by somebody without a token', { as: 'public', path: { id: '908' } }),
  ),
  ...['deleteFile', 'deleteFolder'].map((operation) =>
    refused(operation, 'a row that others refer to', { path: { id: '909' } }),
  ),
  ...listed.flatMap((operation) => [
    refused(operation, 'no such row', { body: [{ id: 999_999 }] }),
    refused(operation, 'a row without its number', { body: [{ title: 'Nobody' }] }),
    refused(operation, 'an unknown field', { body: [{ id: operation === 'updateFiles' ? 907 : 906, nothing: 1 }] }),
  ]),
  refused('createFolders', 'an unknown field', { body: { name: 'One', nothing: 1 } }),
  refused('updateFolder', 'an unknown field', { body: { nothing: 1 } }),
  refused('readFiles', 'an unknown operator', { query: { filter: { title: { resembles: 'a' } } } }),
  refused('readFolders', 'an unknown operator', { query: { filter: { name: { resembles: 'a' } } } }),
  refused('createFile', 'a list', { body: [{ data: 'aGVsbG8=', ...named }] }),
  refused('createFile', 'no name', { body: { data: 'aGVsbG8=' } }),
  refused('createFile', 'no base64', { body: { data: '???', ...named } }),
  refused('createFile', 'an address where nothing is', { body: { data: 'https://example.com/nothing' } }),
  refused('createFile', 'an unknown field', { body: { data: 'aGVsbG8=', ...named, nothing: 1 } }),
  refused('createFile', 'a size', { body: { data: 'aGVsbG8=', ...named, filesize: 1 } }),
  refused('createFile', 'a hash that is taken', {
    body: { data: 'aGVsbG8=', ...named, private_hash: 'bicycle00000hash' },
  }),
  refused('createFile', 'no such folder', { body: { data: 'aGVsbG8=', ...named, folder: 999_999 } }),
  refused('updateFile', 'a hash that is taken', { body: { private_hash: 'bicycle00000hash' } }),
  refused('updateFile', 'a hash with a slash', { body: { private_hash: 'a/b/c/d/e/f' } }),
  refused('updateFile', 'an unknown field', { body: { nothing: 1 } }),
  refused('updateFile', 'a name on disk that is taken', {
    body: { filename_disk: '00000000-0000-4000-8000-0000000000f5.png' },
  }),
  refused('updateFile', 'a name on disk elsewhere', { body: { filename_disk: '../secrets.txt' } }),
  refused('updateFile', 'other contents of several files', { path: { id: '905,907' }, body: { data: 'aGVsbG8=' } }),
  refused('updateFiles', 'other contents', { body: [{ id: 907, data: 'aGVsbG8=' }] }),
  refused('updateFiles', 'a hash that is taken', { body: [{ id: 907, private_hash: 'bicycle00000hash' }] }),
  refused('readFileRevision', 'a place where none is', { path: { offset: '9' } }),
  refused('revertFile', 'a revision of something else', { path: { revision: '901' } }),
  ...contents('readAsset', { hash: 'nobody-has-this' }),
  refused('readAsset', 'an unknown key', { query: { key: 'nothing' } }),
  refused('readAsset', 'a result that is too large', { query: { w: 100_000 } }),
  ...contents('readOriginal', { filename: 'nothing.png' }),
]

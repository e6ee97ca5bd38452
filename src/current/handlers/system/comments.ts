/** `/comments`: comments on items. */
import { writeComments } from '../../../core/history/mentions.ts'
import type { CurrentCommentsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(
  'platform_comments',
  { writer: writeComments },
)

export const comments = {
  readComments: readMany,
  readComment: readOne,
  createComments: create,
  updateComments: updateMany,
  updateComment: updateOne,
  deleteComments: deleteMany,
  deleteComment: deleteOne,
} satisfies Handlers<CurrentCommentsOperations>

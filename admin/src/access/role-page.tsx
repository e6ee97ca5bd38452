/** A role, and below it the rights that it has by levels of version 8. */
import { Box } from '@mui/material'
import { useParams } from 'react-router'
import { KnownItemEdit } from '../content/item-edit.tsx'
import { useCollection } from '../content/use-collection.ts'
import { Levels } from './levels.tsx'

export const RolePage = () => {
  const here = useCollection()
  const { id } = useParams()
  if (here === null || id === undefined) return null
  return (
    <Box>
      <KnownItemEdit {...here} id={id} />
      <Levels model={here.model} role={id} />
    </Box>
  )
}

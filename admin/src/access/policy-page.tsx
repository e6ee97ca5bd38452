/** A policy, and below it what it allows. */
import { Box } from '@mui/material'
import { useParams } from 'react-router'
import { KnownItemEdit } from '../content/item-edit.tsx'
import { useCollection } from '../content/use-collection.ts'
import { Matrix } from './matrix.tsx'

export const PolicyPage = () => {
  const here = useCollection()
  const { id } = useParams()
  if (here === null || id === undefined) return null
  return (
    <Box>
      <KnownItemEdit {...here} id={id} />
      <Matrix model={here.model} policy={id} />
    </Box>
  )
}

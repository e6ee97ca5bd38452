/** The collection of the page, which its resource names. */
import { usePermissions, useResourceContext } from 'react-admin'
import { type Collection, type Model, ofResource } from '../model/model.ts'

export type Here = { readonly model: Model; readonly collection: Collection; readonly resource: string }

/** Null until the model is there, and for collections that are gone. */
export function useCollection(): Here | null {
  const { permissions: model } = usePermissions<Model>()
  const resource = useResourceContext() ?? ''
  const collection = model === undefined ? undefined : ofResource(model, resource)
  return model === undefined || collection === undefined ? null : { model, collection, resource }
}

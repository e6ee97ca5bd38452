/** Inputs and forms within those that show them: they get what they show, and import none of it. */
import { type ComponentType, createContext } from 'react'
import type { Collection, Field, Model } from '../model/model.ts'
import type { Writing } from './writable.ts'

export type FormProps = { readonly model: Model; readonly collection: Collection; readonly action: Writing }

export type FieldProps = FormProps & { readonly field: Field }

/** The form of the item around an input, for related items. */
export const NestedForm = createContext<ComponentType<FormProps> | null>(null)

/** Settings by name, in the notation of the environment. */
export type Environment = { readonly [name: string]: string | undefined }

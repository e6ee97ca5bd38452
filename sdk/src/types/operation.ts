/** Types of generated functions, from operations of the specs. */

type Parameters<Operation, Group extends string> = Operation extends { parameters: infer All }
  ? Group extends keyof All
    ? NonNullable<All[Group]>
    : never
  : never

/** `name` with a value; optional if all of its keys are. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Partial<Value> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value }

/** JSON if there is a choice; other media types must be requested. */
type Content<Message> = Message extends { content: infer Types }
  ? NonNullable<Types> extends { 'application/json': infer Value }
    ? Value
    : NonNullable<Types>[keyof NonNullable<Types>]
  : undefined

type Body<Operation> = Operation extends { requestBody: infer Message }
  ? { readonly body: Content<Message> }
  : Operation extends { requestBody?: infer Message }
    ? [NonNullable<Message>] extends [never]
      ? unknown
      : { readonly body?: Content<NonNullable<Message>> }
    : unknown

type Except<Value, Names extends string> = [Value] extends [never]
  ? never
  : [Exclude<keyof Value, Names>] extends [never]
    ? never
    : Omit<Value, Names>

/** Parameters and body; `Filled` names path parameters that the client fills in. */
export type InputOf<Operation, Filled extends string = never> = Part<
  'path',
  Except<Parameters<Operation, 'path'>, Filled>
> &
  Part<'query', Parameters<Operation, 'query'>> &
  Body<Operation>

type Responses<Operation> = Operation extends { responses: infer All } ? All : never

type Status<Operation, Class extends string> = {
  [Code in keyof Responses<Operation>]: `${Code & number}` extends `${Class}${string}` ? Code : never
}[keyof Responses<Operation>]

/** The body of a success response; undefined without one. */
export type OutputOf<Operation> = Content<Responses<Operation>[Status<Operation, '2'>]>

/** The documented error body of the operation. */
export type ErrorOf<Operation> = Content<Responses<Operation>[Status<Operation, '4' | '5'>]>

/** The values of the path. */
export type PathOf<Operation> = Parameters<Operation, 'path'>

/** The parameters of the query. */
export type QueryOf<Operation> = Parameters<Operation, 'query'>

/** The body of the request. */
export type BodyOf<Operation> = Body<Operation> extends { readonly body?: infer Value } ? Value : never

/** What a successful answer carries: its `data` where it has some. */
export type DataOf<Operation> = DataIn<OutputOf<Operation>>

type DataIn<Output> = Output extends { readonly data: infer Data } ? Data : Output

select t0."title"::text as "c0", t0."author"::text as "c1", (
  select row_to_json(r.*) from (
    select t1."id" as "id" from "authors" t1 where t1."id" = t0."author"
  ) r
)::text as "c2", to_hex(hashtextextended(row(t0."views")::text, 0)) as "content tag " from "articles" t0 where t0."id" = $1::bigint
-- ["texts",1]

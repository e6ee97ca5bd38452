select row_to_json(r.*)::text as "json" from (
  select t0."id" as "id", t0."body" as "body", (
    select row_to_json(r.*) from (
      select t1."name" as "name" from "authors" t1 where t1."id" = t0."author"
    ) r
  ) as "author" from "articles" t0 where (t0."id" = $1::bigint and t0."status" = $2::text)
) r
-- [2,"published"]

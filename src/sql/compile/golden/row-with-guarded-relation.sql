select row_to_json(r.*)::text as "json" from (
  select t0."id" as "id", case when t0."status" = $1::text then (
    select row_to_json(r.*) from (
      select t1."name" as "name" from "authors" t1 where t1."id" = t0."author"
    ) r
  ) end as "author" from "articles" t0 where t0."id" = $2::bigint
) r
-- ["published",1]

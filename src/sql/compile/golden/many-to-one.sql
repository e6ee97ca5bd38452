select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."title" as "title", (
    select row_to_json(r.*) from (
      select t1."name" as "name", (
        select row_to_json(r.*) from (
          select t2."name" as "name" from "regions" t2 where t2."id" = t1."region"
        ) r
      ) as "region", (
        select row_to_json(r.*) from (
          select t3."name" as "name" from "authors" t3 where t3."id" = t1."mentor" and t3."age" > $1::bigint
        ) r
      ) as "mentor" from "authors" t1 where t1."id" = t0."author"
    ) r
  ) as "author" from (
    select t0."title", t0."author" from "articles" t0 order by t0."id" limit $2::bigint
  ) t0
) r
-- [60,7]

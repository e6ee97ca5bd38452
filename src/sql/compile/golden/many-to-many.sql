with s0 as materialized (
  select * from (
    select t0."title", t0."id" from "articles" t0 where t0."id" = any($1::bigint[]) order by t0."sort", t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."article", t3."sort", t3."id", t3."tag" from "articles_tags" t3 where t3."article" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."title" as "title", (
    select coalesce(json_agg(r.*), '[]') from (
      select (
        select row_to_json(r.*) from (
          select t5."name" as "name", t5."color" as "color" from "tags" t5 where t5."name" = t2."tag"
        ) r
      ) as "tag" from (
        select t2."tag" from s1 t2 where t2."article" = t0."id" order by t2."sort", t2."id" limit 100::bigint
      ) t2
    ) r
  ) as "tags" from s0 t0
) r
-- [[1,2]]

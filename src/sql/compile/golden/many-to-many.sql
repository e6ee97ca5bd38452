select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."title" as "title", (
    select coalesce(json_agg(r.*), '[]') from (
      select (
        select row_to_json(r.*) from (
          select t2."name" as "name", t2."color" as "color" from "tags" t2 where t2."name" = t1."tag"
        ) r
      ) as "tag" from (
        select t1."tag" from "articles_tags" t1 where t1."article" = t0."id" order by t1."sort", t1."id" limit 100::bigint
      ) t1
    ) r
  ) as "tags" from (
    select t0."title", t0."id" from "articles" t0 where t0."id" = any($1::bigint[]) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- [[1,2]]

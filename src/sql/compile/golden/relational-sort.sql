select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 left join "authors" t1 on t1."id" = t0."author" left join "regions" t2 on t2."id" = t1."region" left join "authors" t3 on t3."id" = t0."author" and t0."status" = $1::text and t3."age" > $2::bigint order by t2."name" desc nulls last, t3."name", t0."id" limit 100::bigint
  ) t0
) r
-- ["published",40]

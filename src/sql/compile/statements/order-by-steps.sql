select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 left join "authors" t1 on t1."id" = t0."author" and t0."status" = $1::text and t1."age" > $2::bigint left join "regions" t2 on t2."id" = t1."region" left join "authors" t3 on t3."id" = t0."author" order by t2."name", (
      select min(t4."metadata"::text) from "articles" t4 where t4."author" = t3."id" and t4."status" = $3::text
    ), (
      select min(case when t6."color" = $4::text then t6."name" end) from "articles_tags" t5 left join "tags" t6 on t6."name" = t5."tag" where t5."article" = t0."id"
    ), t0."id" limit 100::bigint
  ) t0
) r
-- ["list","published",1,"published","red"]

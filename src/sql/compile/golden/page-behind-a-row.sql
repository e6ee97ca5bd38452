select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id", translate(encode(convert_to(json_build_array('[["views",true,""],["title",false,""],["id",false,""]]', (t0."views")::text, (t0."title")::text, (t0."id")::text)::text, 'UTF8'), 'base64'), E'+/=\n', '-_') as "$cursor" from (
    select t0."id", t0."views", t0."title" from "articles" t0 where (t0."views" <= $1::bigint and (t0."views" < $1::bigint or (t0."views" = $1::bigint and (((t0."title" is null and t0."id" > $2::bigint)))))) order by t0."views" desc, t0."title", t0."id" limit 100::bigint
  ) t0
) r
-- ["10","3"]

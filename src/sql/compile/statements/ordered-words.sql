select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."status" > (
      select e from unnest(enum_range(null::character varying)) e where e::text = $1::text
    ) and t0."address" < $2::text::inet and t0."status" = $3::text) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list","draft","10.0.0.1","draft"]

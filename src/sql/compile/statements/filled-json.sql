select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."metadata" is null and t0."metadata" is not null and (t0."metadata"::text is null or t0."metadata"::text = '') and t0."metadata"::text <> '' and t0."options" is null and t0."options" is not null and (t0."options"::text is null or t0."options"::text = '') and t0."options"::text <> '' and t0."keywords" is null and t0."keywords" is not null and (t0."keywords" is null or t0."keywords" = '') and t0."keywords" <> '' and t0."languages" is null and t0."languages" is not null and (nullif(t0."languages"::text, '{}') is null or nullif(t0."languages"::text, '{}') = '') and nullif(t0."languages"::text, '{}') <> '') order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]

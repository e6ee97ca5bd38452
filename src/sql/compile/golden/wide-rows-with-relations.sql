select t0."id"::text as "c0", t0."body"::text as "c1", t0."price"::text::text as "c2", to_json(string_to_array(case when t0."keywords" like ',%,' then substr(t0."keywords", 2, length(t0."keywords") - 2) else t0."keywords" end, ','))::text as "c3", (
  select row_to_json(r.*) from (
    select t1."name" as "name" from "authors" t1 where t1."id" = t0."author"
  ) r
)::text as "c4" from (
  select t0."id", t0."body", t0."price", t0."keywords", t0."author" from "articles" t0 where t0."id" > $1::bigint order by t0."id" limit 500::bigint
) t0
-- [2]

select t0."id" as "id", t0."title" as "title", t0."body" as "body", t0."featured" as "featured", t0."rating" as "rating", t0."date_created" as "date_created", (to_json(t0."embargo") #>> '{}') as "embargo" from (
  select t0."id", t0."title", t0."body", t0."featured", t0."rating", t0."date_created", t0."embargo" from "articles" t0 where t0."id" < $1::bigint order by t0."id"
) t0
-- [4]

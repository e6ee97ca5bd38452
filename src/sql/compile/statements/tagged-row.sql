select t0."title" as "title", to_hex(hashtextextended(row(t0."id")::text, 0)) as "content tag " from "articles" t0 where t0."id" = $1::bigint for update
-- ["objects",1]

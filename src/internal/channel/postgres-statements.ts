/** SQL for a table of events. */
export interface Statements {
  readonly create: string
  readonly publish: string
  readonly read: string
}

/**
 * `publish` calls a function that holds a lock for the topic, so that ids have the order of commits, which is the order
 * of notifications. About every hundredth call deletes the expired events of all topics. `create` is one transaction:
 * its lock prevents two processes from creating the same table.
 *
 * @param table a name that needs no quoting
 */
export const statementsOf = (table: string): Statements => ({
  create: `
select pg_advisory_xact_lock(hashtext('${table}'));
create table if not exists ${table} (
  topic text not null, epoch bigint not null, number bigint not null, event text not null,
  at timestamptz not null default clock_timestamp(), primary key (topic, epoch, number));
create index if not exists ${table}_at on ${table} (at);
create or replace function ${table}_publish(t text, e text, head text, keep bigint, life bigint) returns text as $body$
declare
  ep bigint; n bigint; id text;
begin
  perform pg_advisory_xact_lock(hashtext('${table}'), hashtext(t));
  select c.epoch, c.number into ep, n from ${table} c where c.topic = t order by c.epoch desc, c.number desc limit 1;
  if not found then
    ep := floor(extract(epoch from clock_timestamp()) * 1000); n := 0;
  end if;
  n := n + 1;
  id := ep || '-' || n;
  insert into ${table} (topic, epoch, number, event) values (t, ep, n, e);
  delete from ${table} c where c.topic = t and (c.epoch < ep or c.number <= n - keep);
  if random() < 0.01 then
    delete from ${table} c where c.at < clock_timestamp() - life * interval '1 millisecond';
  end if;
  perform pg_notify('${table}', id || head || e);
  return id;
end $body$ language plpgsql`,
  publish: `select ${table}_publish($1, $2, $3, $4, $5) as id`,
  read: `
with newest as (select epoch || '-' || number as last from ${table} where topic = $1
  order by epoch desc, number desc limit 1)
select newest.last, page.id, page.event from newest left join lateral (
  select epoch || '-' || number as id, event, epoch, number from ${table}
  where topic = $1 and (epoch, number) > ($2::bigint, $3::bigint) order by epoch, number limit $4::bigint
) page on true order by page.epoch, page.number`,
})

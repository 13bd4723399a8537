\ir ../setup.psql
select plan(2);
update tool_recall.settings set time_zone = 'Asia/Tokyo';
set local role recall_app;
set local time zone 'UTC';
-- 23:30 and 00:30 in Tokyo, of one UTC day.
select pg_temp.record('a', created_at => pg_temp.at(4, '14:30'));
select pg_temp.record('a', created_at => pg_temp.at(4, '15:30'));
select is(pg_temp.recalled(), array['a', 'a'], 'two days in Tokyo are two lines');

-- 08:30 and 09:30 of one day in Tokyo.
select pg_temp.record('b', created_at => pg_temp.at(2, '23:30'));
select pg_temp.record('b', created_at => pg_temp.at(1, '00:30'));
select is(pg_temp.recalled(), array['b', 'a', 'a'], 'one day in Tokyo is one line');

select * from finish();
rollback;

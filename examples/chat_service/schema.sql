-- What this service sells, and what its tools read: prices and members change from day to day.
create table plans (
  name text primary key,
  price numeric not null,
  members integer not null
);
insert into plans (name, price, members)
values ('Starter Pack', 19, 23), ('Pro', 49, 11), ('Family', 79, 4);

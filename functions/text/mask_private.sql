create or replace function tool_recall._private_hint() returns text
language sql immutable parallel safe
return
  -- Not ASCII: a form of @ or of a digit that NFKC will turn into the usual one.
  '[^ -~]|@|%40'
  '|[0-9](?:[ ()./+-]{0,3}[0-9]){8}|[+][0-9 ()./-]{8}|[0-9]{2} [0-9]{2} [0-9]{2} [0-9]{2}'
  '|[A-Za-z0-9]{16}|[_.+/-][A-Za-z0-9]{10}|xox|eyJ|-----BEGIN'
  '|(?:[Pp]assw(?:or)?d|PASSWORD|[Pp]wd|PWD|[Ss]ecret|SECRET|[Kk]ey|KEY|[Tt]oken|TOKEN)'
  '["'']? ?[:=]';
comment on function tool_recall._private_hint() is
  'A regular expression that finds every text of which _mask_private might mask something: a cheap '
  'look first';

create or replace function tool_recall._secret_pattern() returns text
language sql immutable parallel safe
return
  -- Prefixes that issuers give to their keys so that scanners find them.
  '\m(?:[sprw]k[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{10,}'
  '|(?:gh[opsur]|hf|npm|pypi|glsa|shp[a-z]{2}|whsec|sbp|lin_api|dop_v1|rzp_live|rzp_test'
  '|sq0[a-z]{3}'
  '|github_pat|glpat|xox[abeprs]|SG|ya29)[-_.][A-Za-z0-9_.-]{10,}'
  '|(?:AKIA|ASIA|AIza)[A-Za-z0-9_-]{12,}|eyJ[A-Za-z0-9_-]{8,}(?:[.][A-Za-z0-9_=-]*){0,2})'
  -- What is named as a secret.
  '|[Bb]earer [A-Za-z0-9._~+/=-]{16,}'
  '|(?:[Pp]assw(?:or)?d|PASSWORD|[Pp]wd|PWD|[Ss]ecret|SECRET|[Kk]ey|KEY|[Tt]oken|TOKEN)'
  '["'']? ?[:=] ?["'']?[^] "'',;&}]{3,}'
  '|-----BEGIN [A-Z ]*PRIVATE KEY-----.*'
  -- Random letters and digits, longer than ids are; not the 8-4-4-4-12 of a UUID.
  '|(?<![A-Za-z0-9_-])(?![0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![A-Za-z0-9_-]))'
  '(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[a-z])(?=[A-Za-z0-9_-]*[A-Z])[A-Za-z0-9_-]{32,}'
  '|(?<![A-Za-z0-9])(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{32,}';
comment on function tool_recall._secret_pattern() is
  'A regular expression for what looks like a key, a token or a password';

create or replace function tool_recall._long_number_pattern() returns text
language sql immutable parallel safe
return
  -- Not the end of an id, a decimal, a time or a date.
  '(?<![A-Za-z0-9_.,-])(?<![0-9][:/])'
  -- Not a date, an IPv4 address or a decimal number.
  '(?![0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9]))(?![0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}(?![0-9]))'
  '(?![0-9]{1,3}(?:[.][0-9]{1,3}){3}(?![0-9.]))'
  '(?!(?:0|[1-9][0-9]*)[.][0-9]+(?![0-9]|[ ()./+-]{1,3}[0-9]))'
  -- Nine digits or more; seven behind a plus; eight in pairs.
  '(?:[(]?[0-9](?:[ ()./+-]{0,2}[0-9]){8,}|[(]?[+] ?[0-9](?:[ ()./-]{0,2}[0-9]){6,}'
  '|[0-9]{2}(?: [0-9]{2}){3})'
  -- Not the start of an id either.
  '(?![A-Za-z0-9_:]|[-.,/][A-Za-z0-9])';
comment on function tool_recall._long_number_pattern() is
  'A regular expression for what looks like a number of a telephone, a card or an account';

create or replace function tool_recall._mask_private(value text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_text text := value;
begin
  v_text := regexp_replace(v_text,
    '[^ "''<>(),;]+(?:@|%40)[^ "''<>(),;]+' collate "C", chr(8230), 'g');
  v_text := regexp_replace(
    v_text, tool_recall._secret_pattern() collate "C", chr(8230), 'g');
  -- Digits of an account in groups, as an IBAN has them.
  v_text := regexp_replace(v_text,
    '\m[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\M' collate "C", chr(8230), 'g');
  return regexp_replace(
    v_text, tool_recall._long_number_pattern() collate "C", chr(8230), 'g');
end
$$;
comment on function tool_recall._mask_private(text) is
  'The text with an ellipsis for each e-mail address and for what looks like a telephone, card or '
  'account number, a key, a token or a password. The text is clean: NFKC, on one line';

create or replace function tool_recall._is_private(value text) returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if value !~ (tool_recall._private_hint() collate "C") then
    return false;
  end if;
  return tool_recall._mask_private(tool_recall._clean_text(value))
    <> tool_recall._clean_text(value);
end
$$;
comment on function tool_recall._is_private(text) is
  'Whether _mask_private would mask anything of it';

create or replace function tool_recall._is_public_name(name text) returns boolean
language sql immutable parallel safe
-- Short names without a digit cost nothing more.
return length(name) < 20 and name !~ '[0-9@%]' collate "C"
  or not tool_recall._is_private(name);
comment on function tool_recall._is_public_name(text) is
  'Whether a name of a tool or a field is none that _mask_private would mask';

create or replace function tool_recall._is_secret_name(name text) returns boolean
language sql immutable parallel safe
return lower(name collate "C") like any(array[
  '%passw%', '%passphrase%', '%secret%', '%credential%', '%authoriz%', '%cookie%', '%api%key%',
  '%private%key%', '%access%key%', 'pwd', '%\_pwd', 'pin', '%\_pin', 'cvv', 'cvc', 'ssn', '%\_ssn',
  '%iban%', '%card%num%', '%phone%', '%mobile%', 'fax', '%\_fax', 'cell', 'tel', '%whatsapp%',
  '%token'
]);
comment on function tool_recall._is_secret_name(text) is
  'Whether the name of a field says that its text is private whatever it looks like';

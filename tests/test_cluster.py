"""The harness itself: clusters, databases, fixtures, and what must fail a run."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import psycopg
import pytest

from scripts.pgtap import TapFile, find_tests, junit
from tests.conftest import MakeDatabase
from tests.support.cluster import APP, OWNER, Cluster, ClusterError, find_bin_dir
from tests.support.database import ROOT, Connection, Database


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until_gone(folder: Path, port: int) -> None:
    deadline = time.monotonic() + 30
    while folder.exists() or is_open(port):
        assert time.monotonic() < deadline, f"{folder} or port {port} is still there"
        time.sleep(0.1)


# -- the cluster


def test_roles_are_plain_and_the_owner_is_a_member_of_the_app(cluster: Cluster) -> None:
    for role in (OWNER, APP):
        attributes = cluster.psql(
            "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls"
            f" from pg_roles where rolname = '{role}' and rolcanlogin"
        )
        assert attributes == "f"
    assert cluster.psql(f"select pg_has_role('{OWNER}', '{APP}', 'usage')") == "t"
    assert cluster.psql(f"select pg_has_role('{APP}', '{OWNER}', 'usage')") == "f"


def test_connects_over_tcp_and_the_socket_without_a_password(cluster: Cluster) -> None:
    for host in (cluster.host, str(cluster.socket_dir)):
        with psycopg.connect(
            host=host, port=cluster.port, user=APP, dbname="postgres"
        ) as connection:
            assert connection.execute("select current_user").fetchone() == (APP,)


def test_server_does_not_run_as_root(cluster: Cluster) -> None:
    pid = (cluster.data_dir / "postmaster.pid").read_text().split()[0]
    assert Path(f"/proc/{pid}").stat().st_uid != 0


def test_conninfo_quotes_what_needs_it(cluster: Cluster) -> None:
    awkward = r"it's a \ name"
    with psycopg.connect(cluster.conninfo(application_name=awkward)) as connection:
        assert connection.execute("show application_name").fetchone() == (awkward,)


def test_is_fast_by_default_and_durable_on_demand(cluster: Cluster) -> None:
    shown = "select current_setting('fsync') || ' ' || current_setting('synchronous_commit')"
    assert cluster.psql(shown) == "off off"
    with Cluster(durable=True, cron=False) as durable:
        assert durable.psql(shown) == "on on"
        assert durable.psql("show full_page_writes") == "on"
        assert durable.psql("show shared_preload_libraries") == ""


def test_settings_of_the_caller_win() -> None:
    with Cluster(
        cron=False, locale="C", settings={"max_connections": 7, "cluster_name": r"it's \ x"}
    ) as cluster:
        assert cluster.psql("show max_connections") == "7"
        assert cluster.psql("show cluster_name") == r"it's \ x"
        assert cluster.psql("select datcollate from pg_database where datname = 'template1'") == "C"


def test_keeps_its_data_and_port_over_a_crash() -> None:
    with Cluster(cron=False) as cluster:
        port = cluster.port
        cluster.psql("create table kept (n integer); insert into kept values (1); checkpoint")
        cluster.restart("immediate")
        assert cluster.port == port
        assert cluster.psql("select n from kept") == "1"


class Watched(Cluster):
    """Remembers where it was."""

    folder: Path

    def start(self) -> None:
        self.folder = self.base
        super().start()


def test_removes_everything_after_an_error() -> None:
    cluster = Watched(cron=False)

    def fail() -> None:
        with cluster:
            raise ZeroDivisionError(cluster.port)

    with pytest.raises(ZeroDivisionError) as caught:
        fail()
    assert not cluster.folder.exists()
    assert not is_open(caught.value.args[0])
    with pytest.raises(ClusterError, match="not running"):
        _ = cluster.base


def test_a_failing_start_says_why_and_leaves_nothing() -> None:
    cluster = Watched(cron=False, settings={"shared_buffers": "nonsense"})
    with pytest.raises(ClusterError, match="nonsense"):
        cluster.__enter__()
    assert not cluster.folder.exists()


def test_standby_follows_and_can_be_promoted() -> None:
    with Cluster(cron=False) as primary, primary.standby() as standby:
        primary.psql("create table seen (n integer); insert into seen values (1)")
        standby.catch_up()
        assert standby.psql("select pg_is_in_recovery(), n from seen") == "t|1"
        with pytest.raises(ClusterError, match="read-only transaction"):
            standby.psql("insert into seen values (2)")
        standby.promote()
        standby.psql("insert into seen values (2)")
        assert standby.psql("select pg_is_in_recovery()") == "f"
        assert primary.psql("select count(*) from seen") == "1"


def test_missing_programs_name_the_debian_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RECALL_PG_BIN", str(tmp_path))
    with pytest.raises(ClusterError, match=r"Debian package postgresql .*RECALL_PG_BIN"):
        find_bin_dir()


# -- the cluster as a command


def cluster_command(*command: str) -> list[str]:
    return [sys.executable, "-m", "tests.support.cluster", "--", *command]


def test_command_gets_a_cluster_and_its_exit_code_is_passed_on() -> None:
    done = subprocess.run(
        cluster_command("sh", "-c", "psql -XAtc 'select current_user'; echo $PGPORT; exit 7"),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    user, port = done.stdout.split()
    assert (user, done.returncode, done.stderr) == ("postgres", 7, "")
    assert not is_open(int(port))


def test_command_that_does_not_exist() -> None:
    done = subprocess.run(
        cluster_command("no-such-command"), cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 127
    assert "no-such-command" in done.stderr


@pytest.mark.parametrize("kill", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_killed_process_leaves_no_cluster(kill: signal.Signals) -> None:
    shows = "psql -XAtc 'show data_directory'; echo $PGPORT; exec sleep 60"
    with subprocess.Popen(
        cluster_command("sh", "-c", shows), cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip()).parent
        port = int(process.stdout.readline())
        process.send_signal(kill)
        code = process.wait(timeout=30)
        assert code == (-kill if kill == signal.SIGKILL else 128 + kill)
        wait_until_gone(folder, port)
        # The pipe is closed when the command is gone too, which nobody told of the SIGKILL.
        if kill == signal.SIGKILL:
            process.stdout.close()


# -- databases


def test_databases_of_other_locales_and_encodings(make_database: MakeDatabase) -> None:
    described = (
        "select pg_encoding_to_char(encoding), datcollate, datlocprovider::text"
        " from pg_database where datname = current_database()"
    )
    plain = make_database(locale="C")
    icu = make_database(icu_locale="und", locale="C.UTF-8")
    latin = make_database(encoding="LATIN1", locale="C")
    assert plain.owner_conn.execute(described).fetchone() == ("UTF8", "C", "c")
    assert icu.owner_conn.execute(described).fetchone() == ("UTF8", "C.UTF-8", "i")
    assert latin.owner_conn.execute(described).fetchone() == ("LATIN1", "C", "c")


def test_database_is_the_owners_and_holds_the_package(database: Database) -> None:
    owned = "select pg_get_userbyid(datdba) from pg_database where datname = current_database()"
    assert database.owner_conn.execute(owned).fetchone() == (OWNER,)
    assert database.app_conn.execute("select current_user").fetchone() == (APP,)
    installer = "select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'tool_recall'"
    assert database.owner_conn.execute(installer).fetchone() == (OWNER,)


@pytest.mark.parametrize("_turn", [1, 2])
def test_each_test_has_a_database_of_its_own(_turn: int, database: Database) -> None:
    assert database.owner_conn.execute("select count(*) from users").fetchone() == (0,)
    turn = database.new_turn()
    again = database.new_turn(turn.user_id, turn.conversation_id)
    assert (again.user_id, again.conversation_id) == (turn.user_id, turn.conversation_id)
    counted = "select count(*) from messages where conversation_id = %s"
    assert database.app_conn.execute(counted, [turn.conversation_id]).fetchone() == (2,)


@pytest.mark.cron
def test_the_owner_may_schedule_in_the_cron_database(cron_database: Database) -> None:
    host = cron_database.owner_conn
    assert host.execute("select count(*) from cron.job").fetchone() == (0,)
    host.execute("select cron.schedule('probe', '* * * * *', 'select 1')")
    assert host.execute("select username from cron.job").fetchone() == (OWNER,)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        cron_database.app_conn.execute("select cron.schedule('probe', '* * * * *', 'select 1')")


def test_ready_connections_are_of_their_roles(owner: Connection, app: Connection) -> None:
    assert (owner.info.user, app.info.user) == (OWNER, APP)
    assert (owner.autocommit, app.autocommit) == (True, True)


# -- what must fail a run

SKIPPING = """
import pytest

@pytest.mark.skip(reason="no pg_cron here")
def test_skipped(): ...

@pytest.mark.xfail(reason="known")
def test_expected_to_fail():
    assert False

def test_fine(): ...
"""


@pytest.mark.parametrize(
    ("required", "text", "code"),
    [
        ("1", SKIPPING, 1),
        ("0", SKIPPING, 0),
        ("1", "import pytest\npytest.skip('no pgTAP here', allow_module_level=True)", 1),
        ("1", "def test_fine(): ...", 0),
    ],
)
def test_a_skipped_test_fails_the_run_where_all_is_required(
    required: str, text: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "test_some.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.support.require_all", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "RECALL_REQUIRE_ALL": required},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("skipped, and RECALL_REQUIRE_ALL is set" in done.stdout) == (code == 1)
    if code:
        assert "test_some.py" in done.stdout.split("RECALL_REQUIRE_ALL is set")[1]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1..2\nok 1 - a\nok 2 - b\n", None),
        ("ok 1 - a\n1..1\n", None),
        ("1..1\nnot ok 1 - later # TODO not built\n", None),
        ("", "holds no test"),
        ("1..0\n", "holds no test"),
        ("ok 1 - a\n", "no plan"),
        ("1..3\nok 1 - a\n", "planned 3 tests, ran 1"),
        ("1..1\nok 1 - a # SKIP no ICU\n", "skipped: a (no ICU)"),
        ("1..0 # SKIP no ICU\n", "skipped: no ICU"),
    ],
)
def test_what_is_wrong_with_a_pgtap_file(text: str, complaint: str | None) -> None:
    found = TapFile.parse("x.sql", text).complaints(require_all=True)
    assert bool(found) == (complaint is not None)
    assert complaint is None or any(complaint in line for line in found)


def test_skips_are_no_complaint_where_not_all_is_required() -> None:
    text = "1..1\nok 1 - a # skip no ICU\n"
    assert TapFile.parse("x.sql", text).complaints(require_all=False) == []


def test_pgtap_results_in_junit_form() -> None:
    text = "1..3\nok 1 - a\nnot ok 2 - b\n# have: 1\n# want: 2\nok 3 - c # SKIP why\n"
    root = junit([TapFile.parse("f/x.sql", text), TapFile.parse("f/y.sql", "")]).getroot()
    first, second = root.findall("testsuite")
    assert (first.get("tests"), first.get("failures"), first.get("skipped")) == ("3", "1", "1")
    failure = first.find("testcase/failure")
    assert failure is not None
    assert failure.text == "# have: 1\n# want: 2"
    assert second.get("errors") == "2"
    assert ElementTree.tostring(root)


def test_included_pgtap_files_are_not_run_themselves() -> None:
    tests = find_tests([ROOT / "pgtap"])
    assert tests
    assert all(test.endswith(".sql") for test in tests)
    assert tests == sorted(set(tests))

"""A real PostgreSQL cluster that lives as long as a ``with`` block.

    with Cluster() as cluster:
        psycopg.connect(cluster.conninfo("postgres", user="recall_app"))

    with Cluster() as primary, primary.standby() as replica:
        replica.catch_up()

It lies in a temporary folder, listens on a free port of 127.0.0.1 and on a socket, trusts everybody
on this machine, and is gone afterwards, whatever ends the process. PostgreSQL refuses to run as
root: started by root, the server and its tools run as the user ``postgres``.

As a command it lends a cluster to another one (PGHOST, PGPORT and PGUSER are set) and passes on its
exit code:

    python -m tests.support.cluster -- psql -c 'select version()'

Standard library only.
"""

from __future__ import annotations

import argparse
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import TypedDict

OWNER = "recall_owner"
"""Owns the databases, the host tables and the package; no superuser."""
APP = "recall_app"
"""The chat service; no superuser."""
READER = "recall_reader"
OPERATOR = "recall_operator"
"""For grant_reader and grant_operator, which a test calls itself; no superusers."""
CRON_DATABASE = "recall_cron"
"""The one database in which pg_cron runs."""
BIN_DIR_VARIABLE = "RECALL_PG_BIN"
"""Environment variable that names the folder of another PostgreSQL's programs."""

PROGRAMS = ("initdb", "pg_ctl", "postgres", "psql")
DEBIAN_ROOT = Path("/usr/lib/postgresql")
START_SECONDS = 60
# sun_path holds 107 bytes; the socket's own name takes up to 16 of them, our folder 20.
LONGEST_TEMP_DIR = 64

# Runs beside the cluster and blocks until this process closes the pipe or is gone, then tidies up
# what a killed process left behind. Arguments: the folder, then the command that stops the server.
GUARD = 'cat > /dev/null; base=$1; shift; if [ -d "$base" ]; then "$@"; rm -rf "$base"; fi'

Setting = str | int | float | bool


class _Identity(TypedDict, total=False):
    """Whom subprocess shall run a program as."""

    user: int
    group: int
    extra_groups: list[int]


class ClusterError(RuntimeError):
    """The cluster cannot be made or does not do what it should."""


def find_bin_dir() -> Path:
    """The folder of PostgreSQL's programs: RECALL_PG_BIN, the newest of Debian's, the PATH's."""
    chosen = os.environ.get(BIN_DIR_VARIABLE)
    if chosen:
        candidates = [Path(chosen)]
    else:
        majors = [path for path in DEBIAN_ROOT.glob("*/bin") if path.parent.name.isdigit()]
        candidates = sorted(majors, key=lambda path: int(path.parent.name), reverse=True)
        on_path = shutil.which("pg_ctl")
        if on_path:
            candidates.append(Path(on_path).resolve().parent)
    for candidate in candidates:
        if all((candidate / program).exists() for program in PROGRAMS):
            return candidate
    searched = ", ".join(str(path) for path in candidates) or f"{DEBIAN_ROOT}/*/bin and the PATH"
    raise ClusterError(
        f"PostgreSQL's server programs ({', '.join(PROGRAMS)}) are not in {searched}. "
        "Install the Debian package postgresql (apt-get install postgresql), "
        f"or name their folder in {BIN_DIR_VARIABLE}."
    )


def major_version(bin_dir: Path) -> int:
    """The major version of the PostgreSQL in a folder."""
    shown = subprocess.run(
        [bin_dir / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"\) (\d+)", shown)
    if not found:
        raise ClusterError(f"{bin_dir}/postgres --version says {shown.strip()!r}")
    return int(found[1])


def library_dir(bin_dir: Path) -> Path:
    """The folder of the server's loadable libraries (pg_cron.so, say)."""
    pg_config = bin_dir / "pg_config"
    if pg_config.exists():
        asked = subprocess.run([pg_config, "--pkglibdir"], capture_output=True, text=True)
        if asked.returncode == 0:
            return Path(asked.stdout.strip())
    return bin_dir.parent / "lib"


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listens on at the moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _server_user() -> pwd.struct_passwd | None:
    """Whom the server runs as when we are root; None: as ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise ClusterError(
        "PostgreSQL does not run as root, and there is no user postgres to run it as. "
        "The Debian package postgresql makes one."
    )


class Cluster:
    """A PostgreSQL cluster of its own; a context manager.

    bin_dir:     folder of the programs; see find_bin_dir.
    locale:      initdb's --locale.
    initdb_args: further arguments of initdb.
    settings:    further lines of postgresql.conf; they win over ours.
    cron:        preload pg_cron, for the database recall_cron. None: where it is installed.
    durable:     flush to disk like a production server. By default nothing is: it is faster.
    primary:     be a hot standby of this running cluster; see standby().
    """

    host = "127.0.0.1"
    superuser = "postgres"

    def __init__(
        self,
        *,
        bin_dir: Path | str | None = None,
        locale: str = "C.UTF-8",
        initdb_args: Sequence[str] = (),
        settings: Mapping[str, Setting] | None = None,
        cron: bool | None = None,
        durable: bool = False,
        primary: Cluster | None = None,
    ) -> None:
        self.bin_dir = Path(bin_dir) if bin_dir is not None else find_bin_dir()
        self.major = major_version(self.bin_dir)
        self.locale = locale
        self.initdb_args = tuple(initdb_args)
        self.settings = dict(settings or {})
        self.durable = durable
        self.primary = primary
        self.port = 0
        self._base: Path | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._user = _server_user()
        has_cron = (library_dir(self.bin_dir) / "pg_cron.so").exists()
        if cron and not has_cron:
            raise ClusterError(
                f"pg_cron is not installed for the PostgreSQL in {self.bin_dir}. "
                f"Install the Debian package postgresql-{self.major}-cron."
            )
        self.cron = has_cron if cron is None else cron

    # -- where things are

    @property
    def base(self) -> Path:
        """The temporary folder that holds everything; the socket's folder too."""
        if self._base is None:
            raise ClusterError("the cluster is not running")
        return self._base

    @property
    def data_dir(self) -> Path:
        return self.base / "data"

    @property
    def log_file(self) -> Path:
        return self.base / "server.log"

    @property
    def socket_dir(self) -> Path:
        return self.base

    def conninfo(
        self, dbname: str = "postgres", user: str = "postgres", **parameters: str | int
    ) -> str:
        """A libpq connection string over TCP; more parameters as keywords."""
        parts: dict[str, str | int] = {
            "host": self.host,
            "port": self.port,
            "dbname": dbname,
            "user": user,
            **parameters,
        }
        return " ".join(f"{key}={_quote_conninfo(str(value))}" for key, value in parts.items())

    def environment(self) -> dict[str, str]:
        """This process's environment, pointed at the cluster as superuser."""
        return {
            **_without_libpq(os.environ),
            "PGHOST": self.host,
            "PGPORT": str(self.port),
            "PGUSER": self.superuser,
            "PGDATABASE": "postgres",
        }

    # -- life

    def __enter__(self) -> Cluster:
        try:
            self._create()
            self.start()
            if self.primary is None:
                self._create_roles()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Starts the server; again after stop() too, on the same port."""
        chosen = self.port != 0
        for attempts_left in reversed(range(5)):
            if not chosen:
                self.port = free_port()
            self._write_settings()
            if not self.log_file.exists():
                self._own(self.log_file)
            begin = self.log_file.stat().st_size
            started = self._run("pg_ctl", *self._start_args(), check=False)
            if started.returncode == 0:
                return
            with self.log_file.open(errors="replace") as log:
                log.seek(begin)
                said = log.read()
            # Somebody took the port between our looking and the server's binding it.
            port_taken = "could not bind" in said or "could not create any TCP/IP" in said
            if chosen or not port_taken or not attempts_left:
                raise ClusterError(
                    f"PostgreSQL did not start: {started.stdout}{started.stderr}\n{said[-4000:]}"
                )

    def stop(self, mode: str = "fast") -> None:
        """Stops the server, keeps its data. mode: fast, or immediate (a crash)."""
        self._run("pg_ctl", "stop", "-D", str(self.data_dir), "-m", mode, "-w", "-s")

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def close(self) -> None:
        """Stops the server and removes everything. Harmless when repeated."""
        base, self._base = self._base, None
        guard, self._guard = self._guard, None
        self.port = 0
        try:
            if base is not None and (base / "data" / "postmaster.pid").exists():
                subprocess.run(
                    self._stop_command(base),
                    capture_output=True,
                    timeout=START_SECONDS,
                    cwd=base,
                    env=self._tool_environment(base),
                    **self._identity(),
                )
        finally:
            if base is not None:
                shutil.rmtree(base, ignore_errors=True)
            if guard is not None:
                assert guard.stdin is not None
                guard.stdin.close()
                guard.wait()

    # -- replication

    def standby(self, *, settings: Mapping[str, Setting] | None = None) -> Cluster:
        """A hot standby of this running cluster, to be entered with ``with``."""
        return Cluster(
            bin_dir=self.bin_dir,
            settings={**self.settings, **(settings or {})},
            cron=self.cron,
            durable=self.durable,
            primary=self,
        )

    def catch_up(self, seconds: float = 30) -> None:
        """Waits until this standby shows everything its primary has committed so far."""
        if self.primary is None:
            raise ClusterError("catch_up is for a standby")
        # Our primaries commit asynchronously; one synchronous commit flushes all before it.
        self.primary.psql(
            "set synchronous_commit = local; select pg_logical_emit_message(true, 'catch_up', '')"
        )
        target = self.primary.psql("select pg_current_wal_flush_lsn()")
        deadline = time.monotonic() + seconds
        while self.psql(f"select pg_last_wal_replay_lsn() >= '{target}'") != "t":
            if time.monotonic() > deadline:
                raise ClusterError(f"the standby did not reach {target} in {seconds} s")
            time.sleep(0.05)

    def promote(self) -> None:
        """Makes a standby a primary and waits until it takes writes."""
        self._run("pg_ctl", "promote", "-D", str(self.data_dir), "-w", "-s")
        self.primary = None

    # -- tools

    def psql(self, sql: str, dbname: str = "postgres", user: str = "postgres") -> str:
        """Runs SQL through psql, stops at the first error, returns its queries' bare output."""
        done = self.run(
            "psql",
            "-X",
            "-A",
            "-t",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            dbname,
            "-U",
            user,
            stdin=sql,
        )
        return done.stdout.strip()

    def run(
        self, program: str, *arguments: str, stdin: str = "", check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Runs one of PostgreSQL's programs (pg_dump, say), connected as superuser."""
        done = subprocess.run(
            [str(self.bin_dir / program), *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env=self.environment(),
        )
        if check and done.returncode != 0:
            raise ClusterError(f"{program} failed: {done.stdout}{done.stderr}")
        return done

    # -- inside

    def _create(self) -> None:
        if self._base is not None:
            raise ClusterError("the cluster is running already")
        temp = tempfile.gettempdir()
        self._base = Path(
            tempfile.mkdtemp(
                prefix="pg-recall-", dir=temp if len(temp) <= LONGEST_TEMP_DIR else "/tmp"
            )
        )
        if self._user is not None:
            os.chown(self._base, self._user.pw_uid, self._user.pw_gid)
        self._guard = subprocess.Popen(
            ["sh", "-c", GUARD, "guard", str(self._base), *self._stop_command(self._base)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=self._base.parent,
            env=self._tool_environment(self._base),
            **self._identity(),
        )
        if self.primary is not None:
            self._run(
                "pg_basebackup",
                *("-D", str(self.data_dir), "-X", "stream", "-c", "fast", "--no-sync"),
                *("-h", str(self.primary.socket_dir), "-p", str(self.primary.port)),
                *("-U", self.superuser),
            )
            # pg_basebackup -R would write options that an older server's library does not know.
            self._own(self.data_dir / "standby.signal")
            return
        self._run(
            "initdb",
            *("-D", str(self.data_dir), "-U", self.superuser, "-A", "trust"),
            *("-E", "UTF8", f"--locale={self.locale}"),
            *(() if self.durable else ("--no-sync",)),
            *self.initdb_args,
        )
        with (self.data_dir / "postgresql.conf").open("a") as conf:
            conf.write("\ninclude 'cluster.conf'\n")

    def _write_settings(self) -> None:
        settings: dict[str, Setting] = {
            "port": self.port,
            "listen_addresses": self.host,
            "unix_socket_directories": str(self.socket_dir),
            "max_connections": 120,
            "max_worker_processes": 24,
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_line_prefix": "%m [%p] %q%u@%d ",
        }
        if not self.durable:
            settings |= {"fsync": False, "synchronous_commit": False, "full_page_writes": False}
        if self.cron:
            settings |= {
                "shared_preload_libraries": "pg_cron",
                "cron.database_name": CRON_DATABASE,
                # Jobs run in background workers: no connection, so no password either.
                "cron.use_background_workers": True,
            }
        if self.primary is not None:
            settings["primary_conninfo"] = (
                f"host={self.primary.host} port={self.primary.port} user={self.superuser}"
            )
        settings |= self.settings
        conf = self.data_dir / "cluster.conf"
        conf.write_text(
            "".join(f"{name} = {_quote_setting(value)}\n" for name, value in settings.items())
        )
        self._own(conf)

    def _create_roles(self) -> None:
        statements = [
            f"create role {APP} login;",
            f"create role {READER} login;",
            f"create role {OPERATOR} login;",
            f"create role {OWNER} login;",
            f"grant {APP}, {READER}, {OPERATOR} to {OWNER};",
        ]
        if self.cron:
            # Without its database pg_cron fails, and is started again, every second.
            statements.append(f"create database {CRON_DATABASE} owner {OWNER};")
        self.psql("\n".join(statements))

    def _start_args(self) -> list[str]:
        where = ["-D", str(self.data_dir), "-l", str(self.log_file)]
        return ["start", *where, "-w", "-t", str(START_SECONDS), "-s"]

    def _stop_command(self, base: Path) -> list[str]:
        where = ["-D", str(base / "data")]
        return [str(self.bin_dir / "pg_ctl"), "stop", *where, "-m", "immediate", "-w", "-s"]

    def _run(
        self, program: str, *arguments: str, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program as the server's user."""
        done = subprocess.run(
            [str(self.bin_dir / program), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=self.base,
            env=self._tool_environment(self.base),
            **self._identity(),
        )
        if check and done.returncode != 0:
            raise ClusterError(f"{program} failed: {done.stdout}{done.stderr}")
        return done

    def _identity(self) -> _Identity:
        if self._user is None:
            return {}
        return {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}

    def _tool_environment(self, base: Path) -> dict[str, str]:
        # PostgreSQL's own messages in English, whatever the caller speaks.
        return {**_without_libpq(os.environ), "HOME": str(base), "LC_ALL": "C"}

    def _own(self, path: Path) -> None:
        path.touch(mode=0o600)
        if self._user is not None:
            os.chown(path, self._user.pw_uid, self._user.pw_gid)


def _without_libpq(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would point PostgreSQL's programs elsewhere."""
    return {name: value for name, value in environment.items() if not name.startswith("PG")}


def _quote_conninfo(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'" if re.search(r"[\s'\\]|^$", value) else value


def _quote_setting(value: Setting) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    escaped = str(value).replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _raise_exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.cluster",
        description="Runs a command against a throw-away PostgreSQL cluster.",
    )
    parser.add_argument("--bin-dir", help="folder of PostgreSQL's programs")
    parser.add_argument("--locale", default="C.UTF-8", help="initdb's --locale")
    parser.add_argument("--durable", action="store_true", help="flush to disk")
    parser.add_argument("command", nargs="+", help="after --: the command and its arguments")
    options = parser.parse_args(arguments)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _raise_exit)
    try:
        with Cluster(
            bin_dir=options.bin_dir, locale=options.locale, durable=options.durable
        ) as cluster:
            return _run_command(options.command, cluster.environment())
    except ClusterError as error:
        print(f"cluster: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _run_command(command: Sequence[str], environment: Mapping[str, str]) -> int:
    try:
        child = subprocess.Popen(command, env=environment)
    except OSError as error:
        print(f"cluster: {command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    try:
        code = child.wait()
    except BaseException:
        # Told to end: so is the command, before its server goes away.
        child.terminate()
        try:
            child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        raise
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())

"""A TCP proxy in front of a server, that can lose, hold and cut what goes through it."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from types import TracebackType

from tests.support.cluster import free_port


class Proxy:
    """Listens on a port of its own; a context manager.

    hold: nothing goes through in either direction while it is set: a dead network.
    lost: how many answers have been lost.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self.port = free_port()
        self.host = "127.0.0.1"
        self.hold = False
        self.lost = 0
        self._marker: bytes | None = None
        self._skip = 0
        self._lock = threading.Lock()
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._stopped = False

    def __enter__(self) -> Proxy:
        self._listening = socket.create_server((self.host, self.port), backlog=100)
        self._listening.settimeout(0.2)
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stopped = True
        self._thread.join()
        self._listening.close()
        self.cut()

    def cut(self) -> int:
        """Cuts all connections; how many."""
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            self._close(pair)
        return len(pairs)

    def lose_answer(self, marker: bytes, skip: int = 0) -> None:
        """Once, cuts the connection on which a message with these bytes is sent.

        The server has answered it by then: what was sent has been done, and nobody is told. skip:
        so many of its answers go through first.
        """
        with self._lock:
            self._marker, self._skip = marker, skip

    def _close(self, pair: tuple[socket.socket, socket.socket]) -> None:
        with self._lock:
            self._pairs.discard(pair)
        for one in pair:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._stopped:
            try:
                client, _ = self._listening.accept()
            except TimeoutError:
                continue
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            try:
                server = socket.create_connection(self._server)
            except OSError:
                return
            with server:
                pair = (client, server)
                with self._lock:
                    self._pairs.add(pair)
                with suppress(OSError):
                    self._pass(client, server)
                self._close(pair)

    def _pass(self, client: socket.socket, server: socket.socket) -> None:
        answers_left: int | None = None
        while not self._stopped:
            if self.hold:
                # Cut meanwhile?
                if select.select([], [], [client, server], 0.02)[2] or client.fileno() < 0:
                    return
                with self._lock:
                    if (client, server) not in self._pairs:
                        return
                continue
            ready, _, _ = select.select([client, server], [], [], 0.05)
            for one in ready:
                if self.hold:
                    break
                sent = one.recv(65536)
                if not sent:
                    return
                if one is client and answers_left is None:
                    answers_left = self._to_be_lost(sent)
                elif one is server and answers_left is not None:
                    if answers_left == 0:
                        self.lost += 1
                        return
                    answers_left -= 1
                (client if one is server else server).sendall(sent)

    def _to_be_lost(self, sent: bytes) -> int | None:
        with self._lock:
            if self._marker is None or self._marker not in sent:
                return None
            self._marker = None
            return self._skip

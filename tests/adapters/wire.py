"""A local HTTP server that speaks the vendors' protocols: JSON answers and server-sent events."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from tests.client.faces import Face

Event = dict[str, Any]


class Pause:
    """In a stream: nothing more comes until the client goes away or the test ends."""


PAUSE = Pause()
Answer = dict[str, Any] | Sequence[Event | Pause]


class VendorServer:
    """Gives the answers of ``answers`` one after another, and keeps what it was asked.

    An object is sent as JSON, a list as a stream of events.
    """

    def __init__(self) -> None:
        self.answers: deque[Answer] = deque()
        self.requests: list[dict[str, Any]] = []
        self._stopping = threading.Event()
        vendor = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                vendor.requests.append(json.loads(body))
                answer = vendor.answers.popleft()
                if isinstance(answer, dict):
                    self._send_json(answer)
                else:
                    with suppress(ConnectionError):  # cancelled
                        self._send_events(answer)

            def _send_json(self, answer: dict[str, Any]) -> None:
                text = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def _send_events(self, events: Sequence[Event | Pause]) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream; charset=utf-8")
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for event in events:
                    if isinstance(event, Pause):
                        self.close_connection = True
                        vendor._stopping.wait()
                        return
                    # Chat Completions names no events; the others name each by its type.
                    name = f"event: {event['type']}\n" if "type" in event else ""
                    self._chunk(f"{name}data: {json.dumps(event)}\n\n")
                if "chat" in self.path:
                    self._chunk("data: [DONE]\n\n")
                self.wfile.write(b"0\r\n\r\n")

            def _chunk(self, text: str) -> None:
                data = text.encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> VendorServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        return False


def events(face: Face, stream: Any) -> Iterator[Any]:
    """The items of a stream of either kind."""
    if not hasattr(stream, "__aiter__"):
        yield from stream
        return
    items = stream.__aiter__()
    while True:
        try:
            item = face.run(items.__anext__())
        except StopAsyncIteration:
            return
        yield item

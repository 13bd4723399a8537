"""The example chat service as a process, and a user of it over HTTP."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from tests.support.database import ROOT

T = TypeVar("T")
RUNNING = re.compile(r"Uvicorn running on (\S+)")
DATABASE = re.compile(r"psql '(.+)'")


class Service:
    """Where it is; ``database`` is the owner's conninfo where it has an embedded one."""

    def __init__(self, output: list[str]) -> None:
        text = "".join(output)
        self.url = RUNNING.search(text)[1]  # type: ignore[index]
        database = DATABASE.search(text)
        self.database = database[1] if database else ""


@contextmanager
def service(**environment: str) -> Iterator[Service]:
    """The service on a free port, by its own command; stopped as an operator would."""
    process = subprocess.Popen(
        [sys.executable, "-m", "examples.chat_service", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    output: list[str] = []
    try:
        for line in process.stdout:
            output.append(line)
            if RUNNING.search(line):
                break
        else:
            raise AssertionError("the service did not start:\n" + "".join(output))
        rest = threading.Thread(target=lambda: output.extend(process.stdout or ()), daemon=True)
        rest.start()
        yield Service(output)
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


class Customer:
    """A user with one conversation."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=30)
        self.id = self._post("/users", {"name": "Ada"})["id"]
        self._http.headers["X-User"] = self.id
        self.conversation = self._post("/conversations")["id"]
        self._path = f"/conversations/{self.conversation}"

    def close(self) -> None:
        self._http.close()

    def ask(self, text: str) -> str:
        """The whole answer."""
        answer: str = self._post(f"{self._path}/messages", {"text": text})["text"]
        return answer

    @contextmanager
    def streaming(self, text: str) -> Iterator[httpx.Response]:
        """A streamed answer that has begun; to leave the context is to go away."""
        path, body = f"{self._path}/messages/stream", {"text": text}
        with self._http.stream("POST", path, json=body) as response:
            assert response.status_code == 200
            assert response.headers["content-type"].startswith("text/event-stream")
            yield response

    def stream(self, text: str) -> Generator[tuple[str, dict[str, Any]], None, None]:
        """The events of a streamed answer; close it to go away."""
        with self.streaming(text) as response:
            name = ""
            for line in response.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)

    def messages(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.get(f"{self._path}/messages").json()
        return messages

    def block(self) -> str:
        return self.get(f"{self._path}/block").text

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._http.get(path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return self._http.post(path, json=body, headers=headers)

    def _post(self, path: str, body: Any = None) -> Any:
        response = self.post(path, body)
        assert response.is_success, response.text
        return response.json()


def eventually(look: Callable[[], T]) -> T:
    """What ``look`` finds, once it finds something."""
    deadline = time.monotonic() + 30
    while not (seen := look()):
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.05)
    return seen

"""The client, the proxy and the checks of group.py."""

import asyncio
import json
import os
import pathlib
import re
import signal
import subprocess
from contextlib import asynccontextmanager

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.types import CreateMessageResult, ElicitResult, ListRootsResult, Root, TextContent

failed = []
def check(name, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {str(detail)[:600]}'}", flush=True)
    if not holds:
        failed.append(name)


def config(servers, more=""):
    """Returns the configuration of a proxy for these servers."""
    # A busy machine may need long to start five servers, and a late server is missing in the list.
    text = 'throttle = "off"\nlist_time_limit = "60s"\n' + more
    for name, (command, environment, _) in servers.items():
        variables = ", ".join(f"{key} = {json.dumps(value)}" for key, value in environment.items())
        text += f"\n[servers.{name}]\ncommand = {json.dumps(command)}\nenv = {{ {variables} }}\n"
    return text


class Peer:
    """The answers of the client to questions of servers, and the notifications that it has received."""

    def __init__(self, folder):
        self.folder = folder
        self.logs, self.messages, self.changes, self.updates = [], [], asyncio.Queue(), asyncio.Queue()

    async def sample(self, context, params):
        return CreateMessageResult(role="assistant", content=TextContent(type="text", text="sampled"), model="none", stop_reason="endTurn")

    async def elicit(self, context, params):
        return ElicitResult(action="accept", content={"name": "Ada", "check": True})

    async def roots(self, context):
        return ListRootsResult(roots=[Root(uri=f"file://{self.folder}", name="files")])

    async def log(self, params):
        self.logs.append(params)

    async def message(self, message):
        name = type(getattr(message, "root", message)).__name__
        if name.endswith("ListChangedNotification"):
            await self.changes.put(name)
        if name == "ResourceUpdatedNotification":
            await self.updates.put(str(getattr(message, "root", message).params.uri))

    def client(self, server, mode="legacy"):
        return Client(
            server,
            mode=mode,
            read_timeout_seconds=40,
            sampling_callback=self.sample,
            elicitation_callback=self.elicit,
            list_roots_callback=self.roots,
            logging_callback=self.log,
            message_handler=self.message,
        )


def text(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


def plain(value):
    """Returns a value of the SDK as data. The clock of server-everything is left out, because it differs in each answer."""
    if isinstance(value, str):
        return re.sub(r"\d{1,2}:\d\d:\d\d( [AP]M)?", "TIME", value)
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return plain(value.model_dump(mode="json", by_alias=True)) if hasattr(value, "model_dump") else value


async def outcome(coroutine):
    """Returns the result of a request as data, or its error."""
    try:
        return plain(await coroutine)
    except MCPError as error:
        return f"error {error.error.code}: {error.error.message}"


def children(process):
    """Returns the ids and command lines of the child processes of a process."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            status = (entry / "stat").read_text().rpartition(")")[2].split()
            if entry.name.isdigit() and int(status[1]) == process:
                found[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ")
        except (OSError, IndexError):
            pass
    return found


def descendants(process):
    found = children(process)
    for child in list(found):
        found |= descendants(child)
    return found


@asynccontextmanager
async def proxy(toolbox, folder, name, text, transport):
    """Starts a proxy. Yields what a client connects to, and a function that returns the child processes of the proxy."""
    path = pathlib.Path(folder) / f"{name}.toml"
    path.write_text(text)
    if transport == "stdio":
        before = set(descendants(os.getpid()))
        server = StdioServerParameters(command=toolbox, args=["proxy", "--report", "--config", str(path)], env=dict(os.environ))
        yield server, lambda: {pid: line for pid, line in descendants(os.getpid()).items() if pid not in before}
        return
    process = subprocess.Popen([toolbox, "proxy", "--report", "--config", str(path), "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    try:
        yield process.stderr.readline().split()[-1], lambda: descendants(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)

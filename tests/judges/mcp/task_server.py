"""A server made with `fastmcp-tasks` for the example `checking --tasks`: task_server.py [http].

Serves over stdio, or over streamable HTTP on a free loopback port, whose URL it prints. In: calls. Out: a task for each call, except for
`cancelled`.
"""

import asyncio
import socket
import sys
from datetime import timedelta

import fastmcp
import uvicorn
from fastmcp.dependencies import Progress
from fastmcp.exceptions import ToolError
from fastmcp.server.context import Context
from fastmcp.utilities.tasks import TaskConfig
from fastmcp_tasks import TasksExtension
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

server = fastmcp.FastMCP("tasks")
server.add_extension(TasksExtension())
always = TaskConfig(mode="required", poll_interval=timedelta(milliseconds=100))
cancelled_waits = 0


@server.tool(task=always)
async def double(number: int, progress: Progress = Progress()) -> int:
    """Doubles a number."""
    await progress.set_message("doubling")
    await asyncio.sleep(0.5)
    return number * 2


@server.tool(task=always)
async def reject() -> str:
    """Always fails."""
    raise ToolError("The account is closed.")


@server.tool(task=always)
async def wait() -> str:
    """Waits until it is cancelled."""
    global cancelled_waits
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        cancelled_waits += 1
        raise
    return "waited"


@server.tool
async def cancelled() -> str:
    """Returns the number of calls of `wait` that were cancelled."""
    return str(cancelled_waits)


@server.tool(task=always)
async def ask(ctx: Context) -> str:
    """Asks for a guest while the task exists."""
    answer = (ctx.input_responses or {}).get("guest")
    if answer is None:
        nights = {"type": "integer", "minimum": 1, "maximum": 30}
        form = {"type": "object", "properties": {"name": {"type": "string"}, "nights": nights}, "required": ["name", "nights"]}
        question = ElicitRequest(params=ElicitRequestFormParams(message="Who stays?", requested_schema=form))
        return InputRequiredResult(input_requests={"guest": question})
    return f"{answer.content['name']} stays for {answer.content['nights']} nights."


async def serve_http():
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    serving = uvicorn.Server(uvicorn.Config(server.http_app(), log_level="error", timeout_graceful_shutdown=1))
    task = asyncio.create_task(serving.serve(sockets=[listener]))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    serving.should_exit = True
    await task


if sys.argv[1:] == ["http"]:
    asyncio.run(serve_http())
else:
    server.run("stdio", show_banner=False, log_level="critical")

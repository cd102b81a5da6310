"""The official Python SDK as a client of the example `checked`: python_client.py SERVER [MODE].

SERVER is a program that serves over stdio, or the URL of a server. MODE is `legacy` (the default: the initialize handshake, revisions up to
2025-11-25) or `2026-07-28`. Prints a line for each check; the exit code is 1 if one fails.
"""

import asyncio
import sys

from hint import corrected
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

failed = []


def check(name, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {detail}'}")
    if not holds:
        failed.append(name)


def text(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


async def run(server, mode):
    changed = asyncio.Event()

    async def on_message(message):
        if "ToolListChanged" in type(getattr(message, "root", message)).__name__:
            changed.set()

    async with Client(server, mode=mode, message_handler=on_message, read_timeout_seconds=20) as client:
        print(f"     protocol version {client.protocol_version}")
        names = [tool.name for tool in (await client.list_tools()).tools]
        check("the list has the tools and the container", {"add", "book_room", "count", "Math"} <= set(names), names)

        # The client checks structured content against the output schema, and raises if it does not fit.
        result = await client.call_tool("add", {"a": 19.5, "b": 22.5})
        check("a good call has text and structured content", result.structured_content == {"sum": 42.0} and "42" in text(result), result)

        result = await client.call_tool("count_days", {"days": 2})
        check("a result that fits its schema arrives", result.structured_content == {"days": 2}, result)
        result = await client.call_tool("count_days", {"days": 9})
        check("a result that does not fit its schema is an error that says so", result.is_error and "days" in text(result), result)

        result = await client.call_tool("book_room", {"nights": 90})
        check("a bad call is an error with every issue", result.is_error and "guest" in text(result) and "at most 30" in text(result), result)
        result = await client.call_tool("book_room", corrected(text(result)))
        check("the call is corrected from the hint", not result.is_error and "30 nights" in text(result), result)

        steps = []

        async def on_progress(progress, total, message):
            steps.append((progress, total))

        result = await client.call_tool("count", {"to": 4}, progress_callback=on_progress)
        check("progress arrives in order", steps == [(float(step), 4.0) for step in range(5)], steps)

        before = int(text(await client.call_tool("ended", {})))
        task = asyncio.create_task(client.call_tool("wait", {}))
        await asyncio.sleep(0.2)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        for attempt in range(100):
            ended = int(text(await client.call_tool("ended", {"question": attempt})))
            if ended > before:
                break
            await asyncio.sleep(0.05)
        check("the server ends a cancelled call", ended == before + 1, ended)
        result = await client.call_tool("add", {"a": 1, "b": 2})
        check("the connection goes on after a call was cancelled", result.structured_content == {"sum": 3.0}, result)

        result = await client.call_tool("chart", {})
        check("an image arrives beside text", [part.type for part in result.content] == ["text", "image"], result)
        result = await client.call_tool("reject", {})
        check("an error of a tool is a result", result.is_error and "The account is closed." in text(result), result)

        try:
            result = await client.call_tool("book_rom", {})
            check("an unknown tool is a protocol error", False, result)
        except MCPError as error:
            check("an unknown tool is a protocol error with a suggestion", error.code == -32602 and "book_room" in error.message, error)
        result = await client.call_tool("multiply", {"a": 6, "b": 7})
        if mode == "legacy":
            check("a hidden member is a result that says so", result.is_error and "Math" in text(result), result)
            changed.clear()
        result = await client.call_tool("Math", {})
        check("the container is expanded", not result.is_error and "multiply" in text(result), result)
        if mode == "legacy":
            await asyncio.wait_for(changed.wait(), 5)
            names = [tool.name for tool in (await client.list_tools()).tools]
            check("the list has the member after the notification", "multiply" in names, names)
        result = await client.call_tool("multiply", {"a": 6, "b": 7})
        check("a member runs", not result.is_error and "42" in text(result), result)


def main():
    server = sys.argv[1]
    server = server if "://" in server else StdioServerParameters(command=server)
    mode = sys.argv[2] if len(sys.argv) > 2 else "legacy"
    asyncio.run(run(server, mode))
    print(f"{len(failed)} checks failed")
    sys.exit(1 if failed else 0)


main()

"""Published servers with and without `toolbox proxy` in front of them: proxy.py TOOLBOX NODE PACKAGES FOLDER PAGE.

TOOLBOX is the command, NODE and PACKAGES run the servers from npm, FOLDER is a git repository with the file a.txt. Each server gets the same
calls of the official Python SDK twice, and once from a client that only speaks protocol version 2026-07-28. A server that only speaks this revision gets
the calls of a client that only speaks earlier ones. Prints a line for each check and a table of the answers to bad calls; the exit code is 1 if
a check fails or PAGE does not contain the table.
"""

import asyncio
import json
import pathlib
import sys

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

failed = []


def check(name, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {detail}'}")
    if not holds:
        failed.append(name)


def servers(node, packages, folder):
    """Yields for each server: its name, its command, a good call, and bad calls with `True` if the proxy repairs them, `False` if
    it answers with a hint, and `None` if the answer is that of the server, because the tool is not known and no other has a similar name."""
    yield (
        "server-everything",
        [node, f"{packages}/server-everything/dist/index.js", "stdio"],
        ("get-sum", {"a": 2, "b": 40}),
        [
            ("get-sum", {"a": "2", "b": "40"}, True),
            ("get_sum", {"a": 2, "b": 40}, True),
            ("get-annotated-message", {"messageType": "Success", "includeImage": "false"}, True),
            ("get-sum", {"a": 2, "c": 40}, False),
            ("get-annotated-message", {"messageType": "fatal"}, False),
            ("get-total", {"a": 2, "b": 40}, None),
        ],
    )
    yield (
        "server-filesystem",
        [node, f"{packages}/server-filesystem/dist/index.js", folder],
        ("read_text_file", {"path": f"{folder}/a.txt"}),
        [
            ("read_text_file", {"path": f"{folder}/a.txt", "head": "1"}, True),
            ("readTextFile", {"path": f"{folder}/a.txt"}, True),
            ("read_multiple_files", {"paths": json.dumps([f"{folder}/a.txt"])}, True),
            ("read_text_file", {"file": f"{folder}/a.txt"}, False),
            ("search_files", {"path": folder}, False),
            ("read_text_fil", {"path": f"{folder}/a.txt"}, False),
            ("open_file", {"path": f"{folder}/a.txt"}, None),
        ],
    )
    yield (
        "server-memory",
        [node, f"{packages}/server-memory/dist/index.js"],
        ("search_nodes", {"query": "Ada"}),
        [
            ("create_entities", {"entities": [{"name": "Ada", "entityType": "person", "observations": '["writes"]'}]}, True),
            ("create_entities", {"entities": '[{"name": "Bob", "entityType": "person", "observations": []}]'}, True),
            ("create_entities", {"entities": [{"name": "Eve"}]}, False),
            ("open_nodes", {"name": "Ada"}, False),
        ],
    )
    yield (
        "mcp-server-time",
        [sys.executable, "-m", "mcp_server_time"],
        ("convert_time", {"source_timezone": "UTC", "time": "12:30", "target_timezone": "UTC"}),
        [
            ("convert-time", {"source_timezone": "UTC", "time": "12:30", "target_timezone": "UTC"}, True),
            ("convert_time", {"source_timezone": "UTC", "time": "12:30"}, False),
            ("convert_time", {"time": 12}, False),
            ("get_time", {"timezone": "UTC"}, False),
        ],
    )
    yield (
        "mcp-server-git",
        [sys.executable, "-m", "mcp_server_git"],
        ("git_branch", {"repo_path": folder, "branch_type": "local"}),
        [
            ("git_add", {"repo_path": folder, "files": '["a.txt"]'}, True),
            ("gitStatus", {"repo_path": folder}, True),
            ("git_log", {"repo_path": folder, "max_count": "three"}, False),
            ("git_status", {"path": folder}, False),
            ("git_checkout", {"repo_path": folder}, False),
        ],
    )


def text(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


async def answer(client, name, arguments):
    """Returns the answer to a call: `True` if it succeeded, and its text."""
    try:
        result = await client.call_tool(name, arguments)
        return not result.is_error, text(result)
    except MCPError as error:
        return False, f"protocol error: {error}"


async def answers(command, good, bad, folder, mode="legacy"):
    # Only the server with this name reads the variable.
    environment = {"MEMORY_FILE_PATH": f"{folder}-memory.jsonl"}
    server = StdioServerParameters(command=command[0], args=command[1:], env=environment)
    async with Client(server, mode=mode, read_timeout_seconds=30) as client:
        # A server may order the members differently in each revision.
        tools = json.dumps([tool.model_dump(mode="json") for tool in (await client.list_tools()).tools], sort_keys=True)
        first = await answer(client, *good)
        return tools, first, [await answer(client, name, arguments) for name, arguments, _ in bad]


def has_hint(text):
    """Returns true for an answer of ours, from which a model can correct its call."""
    return " was not run: " in text or '{"error_type":' in text


def shown(answer, folder):
    """Returns an answer as a cell of a table."""
    succeeded, text = answer
    if succeeded:
        return "a result"
    for part in text.splitlines():
        if " was not run: " in part:
            text = part.removesuffix(".")
            break
        if part.startswith('{"error_type":'):
            hint = json.loads(part)
            names = ", ".join(hint.get("did_you_mean", []))
            text = hint["error_message"] + (f" Did you mean {names}?" if names else "")
    line = " ".join(text.replace(folder, "/srv").split())
    line = line if len(line) <= 100 else line[:99] + "…"
    # Brackets would be links in the documentation.
    return line.replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")


async def check_modern_server(toolbox, command, folder):
    good, bad = ("add", {"a": 2, "b": 40}), [("book_room", {"guest": "Ada", "nights": 90}, None)]
    alone = await answers(command, good, bad, folder, "2026-07-28")
    try:
        await answers(command, good, [], folder)
        check("a server of protocol version 2026-07-28 rejects the handshake", False)
    # The client raises it from a task of its own.
    except* MCPError:
        check("a server of protocol version 2026-07-28 rejects the handshake", True)
    translated = await answers([toolbox, "proxy", "--", *command], good, bad, folder)
    check("a server of protocol version 2026-07-28: the same list for an earlier client", translated[0] == alone[0], translated[0][:300])
    check("a server of protocol version 2026-07-28: the same answer to a good call", translated[1] == alone[1] and alone[1][0], translated[1])
    check("a server of protocol version 2026-07-28: a bad call is answered with a hint", has_hint(translated[2][0][1]), translated[2])


async def main(toolbox, node, packages, folder, page):
    rows = ["| server | call | the server alone | with the proxy |", "| --- | --- | --- | --- |"]
    calls = results = alone_results = 0
    for name, command, good, bad in servers(node, packages, folder):
        alone = await answers(command, good, bad, folder)
        # Most of these servers speak no revision without a handshake.
        modern = await answers([toolbox, "proxy", "--", *command], good, [], folder, "2026-07-28")
        check(f"{name}: the same for a client of protocol version 2026-07-28", modern[:2] == alone[:2], modern)
        guarded = await answers([toolbox, "proxy", "--", *command], good, bad, folder)
        check(f"{name}: the same list", alone[0] == guarded[0], guarded[0][:300])
        check(f"{name}: the same answer to a good call", alone[1] == guarded[1] and alone[1][0], guarded[1])
        for (tool, arguments, is_repaired), before, after in zip(bad, alone[2], guarded[2]):
            verdict = {True: "is repaired", False: "is answered with a hint", None: "is answered by the server"}[is_repaired]
            hint = not after[0] and has_hint(after[1])
            holds = {True: after[0], False: hint, None: after == before}[is_repaired]
            check(f"{name}: {tool} {json.dumps(arguments)[:60]} {verdict}", holds, after)
            shown_arguments = json.dumps(arguments, ensure_ascii=False).replace(folder, "/srv").replace("|", "\\|")
            rows.append(f"| {name} | `{tool}` `{shown_arguments}` | {shown(before, folder)} | {shown(after, folder)} |")
            calls, results, alone_results = calls + 1, results + after[0], alone_results + before[0]
    await check_modern_server(toolbox, [node, str(pathlib.Path(packages).parents[1] / "typescript_server.mjs"), "v2", "modern"], folder)
    total = f"Of {calls} bad calls, {results} succeed at once with the proxy, and {alone_results} without it."
    table = "\n".join(rows)
    print(f"\n{table}\n\n{total}\n")
    with open(page, encoding="utf-8") as file:
        content = file.read()
    check("the guide has the table", table in content and total in " ".join(content.split()), page)
    sys.exit(1 if failed else 0)


asyncio.run(main(*sys.argv[1:]))

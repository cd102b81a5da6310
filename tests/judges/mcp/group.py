"""Five published servers behind one `toolbox proxy`, called by the official SDKs: group.py TOOLBOX NODE PACKAGES FOLDER SOURCES ROOM.

TOOLBOX is the command, NODE and PACKAGES run the servers from npm, FOLDER is a git repository with the file a.txt, SOURCES the folder of
this file, and ROOM the folder with the installed packages and the TypeScript programs. Each answer of the group is compared with the answer of
the server alone. The group is used over stdio and over HTTP, with its tools flat and in containers. Prints a line for each check; the exit
code is 1 if one fails.
"""

import asyncio
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

from group_parts import Peer, check, config, failed, outcome, plain, proxy, text
from mcp import StdioServerParameters
from mcp.types import PromptReference, ResourceTemplateReference

# A text that is longer than the limit of the settings, with characters of several bytes.
LONG = "".join(f"line {number}: žluťoučký kůň\n" for number in range(1_000))


def commands(node, packages, folder):
    """Returns the command, the environment and a good call of each server."""
    return {
        "clock": ([sys.executable, "-m", "mcp_server_time"], {}, ("convert_time", {"source_timezone": "UTC", "time": "12:30", "target_timezone": "UTC"})),
        "everything": ([node, f"{packages}/server-everything/dist/index.js", "stdio"], {}, ("get-sum", {"a": 2, "b": 40})),
        "files": ([node, f"{packages}/server-filesystem/dist/index.js", folder], {}, ("read_text_file", {"path": f"{folder}/a.txt"})),
        "git": ([sys.executable, "-m", "mcp_server_git"], {}, ("git_branch", {"repo_path": folder, "branch_type": "local"})),
        "memory": ([node, f"{packages}/server-memory/dist/index.js"], {"MEMORY_FILE_PATH": f"{folder}/memory.jsonl"}, ("read_graph", {})),
    }


async def steps(client, name):
    """Returns the reports of progress of a call."""
    seen = []

    async def report(progress, total, message):
        seen.append((progress, total))

    await client.call_tool(name, {"duration": 0.4, "steps": 4}, progress_callback=report)
    return seen


async def asked(client, peer, prefix, name):
    """Returns the answer of a tool that asks the client. The tool appears once the server knows the capabilities of the client."""
    for _ in range(50):
        if any(tool.name == prefix + name for tool in (await client.list_tools(cache_mode="bypass")).tools):
            break
        await asyncio.sleep(0.1)
    arguments = {"prompt": "Say something.", "maxTokens": 10} if "sampling" in name else {}
    return await outcome(client.call_tool(prefix + name, arguments))


async def facts(client, peer, servers, prefix):
    """Returns the answers that a server gives, with its names, to everything that a group forwards."""
    found = {}
    capabilities = client.server_capabilities
    for name, (_, _, (tool, arguments)) in servers.items():
        full = prefix(name)
        found[name] = {f"call of {tool}": await outcome(client.call_tool(full + tool, arguments))}
        found[name]["tools"] = [
            {**plain(entry), "name": entry.name.removeprefix(full)}
            for entry in (await client.list_tools(cache_mode="bypass")).tools
            if entry.name.startswith(full) and not entry.name.startswith(full + "trigger-")
        ]
    if "everything" in servers:
        full, own = prefix("everything"), found["everything"]
        if capabilities.prompts:
            prompts = (await client.list_prompts()).prompts
            own["prompts"] = [{**plain(entry), "name": entry.name.removeprefix(full)} for entry in prompts]
        own["prompt"] = await outcome(client.get_prompt(full + "args-prompt", {"city": "Prague"}))
        own["resources"] = plain([entry for entry in (await client.list_resources()).resources if str(entry.uri).startswith("demo:")])
        own["resource templates"] = plain((await client.list_resource_templates()).resource_templates)
        for resource in (await client.list_resources()).resources:
            if not str(resource.uri).startswith("demo:"):
                continue
            own[f"resource {resource.uri}"] = await outcome(client.read_resource(str(resource.uri)))
        for uri in ["demo://resource/dynamic/text/7", "demo://resource/dynamic/text/seven"]:
            own[f"resource {uri}"] = await outcome(client.read_resource(uri))
        # Of several servers, the first one words the error.
        own["unknown resource"] = str(await outcome(client.read_resource("memo://nowhere"))).startswith("error -32602")
        reference = PromptReference(type="ref/prompt", name=full + "completable-prompt")
        own["completion for a prompt"] = await outcome(client.complete(reference, {"name": "department", "value": "S"}))
        reference = ResourceTemplateReference(type="ref/resource", uri="demo://resource/dynamic/text/{resourceId}")
        own["completion for a template"] = await outcome(client.complete(reference, {"name": "resourceId", "value": "7"}))
        own["progress"] = await steps(client, full + "trigger-long-running-operation")
        for tool in ["trigger-sampling-request", "trigger-elicitation-request", "get-roots-list"]:
            own[f"question of {tool}"] = await asked(client, peer, full, tool)
        own["log level"] = await outcome(client.set_logging_level("debug"))
        peer.logs.clear()
        await client.call_tool(full + "toggle-simulated-logging", {})
        for _ in range(50):
            if peer.logs:
                break
            await asyncio.sleep(0.1)
        own["log messages"] = bool(peer.logs)
        await client.call_tool(full + "toggle-simulated-logging", {})
        own["subscription"] = await outcome(client.subscribe_resource("demo://resource/dynamic/text/1"))
        await client.call_tool(full + "toggle-subscriber-updates", {})
        own["update"] = await asyncio.wait_for(peer.updates.get(), 10)
        await client.call_tool(full + "toggle-subscriber-updates", {})
        own["end of the subscription"] = await outcome(client.unsubscribe_resource("demo://resource/dynamic/text/1"))
        while not peer.changes.empty():
            peer.changes.get_nowait()
        archive = await client.call_tool(full + "gzip-file-as-resource", {"name": "a.gz", "data": "data:text/plain,a"})
        own["link to a new resource"] = plain(archive.content)
        own["changed list"] = await asyncio.wait_for(peer.changes.get(), 10)
        own["new resource"] = await outcome(client.read_resource(str(archive.content[0].uri)))
    return found


async def compare(toolbox, folder, servers, alone, transport):
    peer = Peer(folder)
    async with proxy(toolbox, folder, "flat", config(servers), transport) as (server, processes), peer.client(server) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        check(f"{transport}: every tool has the prefix of its server", all(name.split("_")[0] in servers for name in names), names)
        grouped = await facts(client, peer, servers, lambda name: f"{name}_")
        for name, own in alone.items():
            for what, answer in own.items():
                check(f"{transport}: {name}: {what}: the same as alone", grouped[name].get(what) == answer, (grouped[name].get(what), answer))
        slow = asyncio.create_task(client.call_tool("everything_trigger-long-running-operation", {"duration": 30, "steps": 2}))
        await asyncio.sleep(0.3)
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        check(f"{transport}: the group goes on after a cancellation", "42" in text(await client.call_tool("everything_get-sum", {"a": 2, "b": 40})))


async def survive(toolbox, folder, servers, transport, restarts):
    """Kills one server in the middle of a call."""
    peer = Peer(folder)
    more = '[restart]\npause = "10ms"\n' if restarts else ""
    async with proxy(toolbox, folder, "killed", config(servers, more), transport) as (server, processes), peer.client(server) as client:
        await client.list_tools()
        while not peer.changes.empty():
            peer.changes.get_nowait()
        slow = asyncio.create_task(client.call_tool("everything_trigger-long-running-operation", {"duration": 60, "steps": 2}))
        await asyncio.sleep(0.5)
        found = [pid for pid, line in processes().items() if "server-everything" in line]
        check(f"{transport}: one process of server-everything", len(found) == 1, processes())
        os.kill(found[0], signal.SIGKILL)
        result = await asyncio.wait_for(slow, 20)
        kind = "restarted" if restarts else "killed"
        check(f"{transport}: the call of the {kind} server ends with a clear error", result.is_error and "everything has ended" in text(result), result)
        for name, (_, _, (tool, arguments)) in servers.items():
            if name != "everything":
                result = await client.call_tool(f"{name}_{tool}", arguments)
                check(f"{transport}: {name} goes on beside the {kind} server", not result.is_error, result)
        await asyncio.wait_for(peer.changes.get(), 10)
        if restarts:
            for _ in range(100):
                if any(tool.name == "everything_get-sum" for tool in (await client.list_tools(cache_mode="bypass")).tools):
                    break
                await asyncio.sleep(0.1)
            result = await client.call_tool("everything_get-sum", {"a": 2, "b": 40})
            check(f"{transport}: the restarted server answers", "42" in text(result), result)
        else:
            names = {tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools}
            check(f"{transport}: the list has the tools of the others", not any(name.startswith("everything") for name in names) and len(names) > 20, names)
            result = await client.call_tool("everything_get-sum", {"a": 2, "b": 40})
            check(f"{transport}: a call of the killed server is rejected", result.is_error and "everything is not running" in text(result), result)


async def contain(toolbox, folder, servers, alone, transport, mode):
    """Uses the servers as containers."""
    peer = Peer(folder)
    name = f"{transport} {mode}" if mode != "legacy" else transport
    groups = "".join(f'[containers.{server}]\ntools = ["{server}_*"]\ndescription = "The tools of {server}."\n' for server in servers)
    more = ('translate = "always"\n' if mode != "legacy" else "") + groups
    async with proxy(toolbox, folder, "contained", config(servers, more), transport) as (server, _), peer.client(server, mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        outside = {"call_tool"} if mode != "legacy" else set()
        check(f"{name}: the list has a container for each server", set(names) - outside == set(servers), names)
        result = await client.call_tool("files", {})
        check(f"{name}: the container lists its members", not result.is_error and "files_read_text_file" in text(result), result)
        if mode == "legacy":
            change = await asyncio.wait_for(peer.changes.get(), 10)
            check(f"{name}: the client learns of the change", change == "ToolListChangedNotification", change)
            tools = {tool.name.removeprefix("files_"): {**plain(tool), "name": tool.name.removeprefix("files_")} for tool in (await client.list_tools(cache_mode="bypass")).tools}
            check(f"{name}: the next list has the members", all(tools.get(tool["name"]) == tool for tool in alone["files"]["tools"]), list(tools))
            hidden = await client.call_tool("everything_get-sum", {"a": 2, "b": 40})
            check(f"{name}: a member of another container is rejected", hidden.is_error and "container_not_expanded" in text(hidden), hidden)
        tool, arguments = servers["files"][2]
        answer = await outcome(client.call_tool(f"files_{tool}", arguments))
        check(f"{name}: a member answers as the server alone", answer == alone["files"][f"call of {tool}"], answer)
        if mode != "legacy":
            answer = await outcome(client.call_tool("call_tool", {"tool": f"files_{tool}", "arguments": arguments}))
            check(f"{name}: a member answers through call_tool", answer == alone["files"][f"call of {tool}"], answer)


async def keep(toolbox, folder, servers, transport, mode):
    """Reads a long result in parts."""
    name = f"{transport} {mode}" if mode != "legacy" else transport
    more = "result_bytes = 2_000\nkeep_results = 1_000_000\n" + ('translate = "always"\n' if mode != "legacy" else "")
    async with proxy(toolbox, folder, "kept", config(servers, more), transport) as (server, _), Peer(folder).client(server, mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        check(f"{name}: the list has read_result", "read_result" in tools, tools)
        first = text(await client.call_tool("files_read_text_file", {"path": f"{folder}/long.txt"}))
        whole, notice = first.rsplit("\n[… Bytes 0 to ", 1)
        handle = json.loads(re.search(r'"handle":("[^"]*")', notice)[1])
        parts = 1
        while (offset := re.search(r'"offset":(\d+)', notice)) and parts < 100:
            page = text(await client.call_tool("read_result", {"handle": handle, "offset": int(offset[1])}))
            part, notice = page.rsplit("\n[… Bytes ", 1)
            whole, parts = whole + part, parts + 1
        check(f"{name}: the parts of a long result are the whole ({parts} parts)", whole == LONG and parts > 2, (len(whole), len(LONG), parts))
        async with Peer(folder).client(server, mode) as other:
            await other.list_tools()
            answer = await other.call_tool("read_result", {"handle": "result_1"})
            check(f"{name}: another client cannot read it by guessing", answer.is_error, text(answer)[:100])


async def mix(toolbox, folder, servers, sources, room, transport):
    """Puts servers of different revisions behind one proxy, for a client of each kind."""
    node = servers["files"][0][0]
    mixed = {
        "old": ([node, f"{room}/typescript_server.mjs", "v1"], {}, ("add", {"a": 1, "b": 2})),
        "both": ([sys.executable, f"{sources}/python_server.py"], {}, ("add", {"a": 1, "b": 2})),
        "clock": servers["clock"],
    }
    for mode in ["legacy", "2026-07-28"]:
        peer = Peer(folder)
        async with proxy(toolbox, folder, "mixed", config(mixed, 'translate = "always"\n'), transport) as (server, _), peer.client(server, mode) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            check(f"{transport}, {mode}: the list has the tools of all revisions", {"old_add", "both_add", "clock_convert_time"} <= names, names)
            for name, (_, _, (tool, arguments)) in mixed.items():
                result = await client.call_tool(f"{name}_{tool}", arguments)
                check(f"{transport}, {mode}: {name} answers", not result.is_error, result)


async def typescript(toolbox, folder, servers, room, transport):
    """Lets the official TypeScript SDKs use the group, with one container and kept results."""
    node = servers["files"][0][0]
    groups = '[containers.files]\ntools = ["files_*"]\n'
    for sdk, revision in [("v1", ""), ("v2", ""), ("v2", "2026-07-28")]:
        more = "result_bytes = 2_000\nkeep_results = 1_000_000\n" + ('translate = "always"\n' if revision else "") + groups
        async with proxy(toolbox, folder, "typescript", config(servers, more), transport) as (server, _):
            if transport == "stdio":
                program = pathlib.Path(folder, "grouped")
                program.write_text(f"#!/bin/sh\nexec '{toolbox}' proxy --config '{folder}/typescript.toml'\n")
                program.chmod(0o755)
                server = str(program)
            process = await asyncio.create_subprocess_exec(
                node, f"{room}/group_client.mjs", sdk, server, folder, revision, stdout=subprocess.PIPE
            )
            output, _ = await asyncio.wait_for(process.communicate(), 90)
            print(output.decode(), end="")
            check(f"{transport}: TypeScript SDK {sdk} {revision}", process.returncode == 0, process.returncode)


async def main(toolbox, node, packages, folder, sources, room):
    pathlib.Path(folder, "long.txt").write_text(LONG, encoding="utf-8")
    servers = commands(node, packages, folder)
    alone = {}
    for name, (command, environment, call) in servers.items():
        peer = Peer(folder)
        parameters = StdioServerParameters(command=command[0], args=command[1:], env=environment)
        async with peer.client(parameters) as client:
            alone |= await facts(client, peer, {name: (command, environment, call)}, lambda name: "")
    for transport in ["stdio", "HTTP"]:
        await compare(toolbox, folder, servers, alone, transport)
        await survive(toolbox, folder, servers, transport, False)
        await survive(toolbox, folder, servers, transport, True)
        for mode in ["legacy", "2026-07-28"]:
            await contain(toolbox, folder, servers, alone, transport, mode)
            await keep(toolbox, folder, servers, transport, mode)
        await mix(toolbox, folder, servers, sources, room, transport)
        await typescript(toolbox, folder, servers, room, transport)
    print(f"{len(failed)} checks failed")
    sys.exit(1 if failed else 0)


asyncio.run(main(*sys.argv[1:]))

"""The official conformance suite against the examples `conformance` and `conformance_client`: conformance.py NODE SUITE SERVER CLIENT
TOOLBOX [--bless].

Each server scenario runs alone, so that the requests which the fixture answers around our tools can be counted: SERVER writes each of them to
its standard error. At the same time, the scenario runs
against SERVER behind `toolbox proxy --http`, once started by the proxy and once behind a URL, where it must have the same result. The scenarios about authorization
also run with `toolbox login`. The result is the list between the markers of the guide `conformance`. Exit code 1 if the list differs, or if a scenario
fails that is not in FAILING; with --bless, the list is written instead of compared.
"""

import concurrent.futures
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

REVISIONS = ["2025-11-25", "2026-07-28"]
GUIDE = pathlib.Path("crates/tool-mcp/docs/conformance.md")
START, END = "<!-- conformance.py writes from here -->", "<!-- to here -->"
# The scenarios that the client of rmcp fails too: its `AuthClient` has no such ways to authorize. No revision requires them.
FAILING = {"auth/enterprise-managed-authorization", "auth/dpop", "auth/dpop-nonce", "auth/wif-jwt-bearer"}

# The user has to log in again after the authorization server was replaced.
WITHOUT_LOGIN = {"auth/authorization-server-migration"}

node, suite, server, client, toolbox = sys.argv[1:6]
unexpected = []


def run(*arguments):
    done = subprocess.run([node, suite, *arguments], capture_output=True, text=True, timeout=600)
    return done.stdout + done.stderr


def scenarios(revision):
    """The scenarios of each side: the required ones, and those that run without being required, with the reason."""
    found, reason, side = {"server": {}, "client": {}}, None, None
    for line in run("list", "--requirements", revision).splitlines():
        if heading := re.match(r"(Server|Client) scenarios", line):
            side = heading[1].lower()
        elif heading := re.match(r"  (\S+) \(\d+\):", line):
            reason = heading[1]
        elif entry := re.match(r"\s+- (\S+)(?: \[(\w+)\])?", line):
            found[entry[2] or side][entry[1]] = reason
    return found


def names(scenarios):
    return ", ".join(f"`{name}`" for name in scenarios)


def listed(scenarios):
    return [f"- `{name}`" for name in scenarios]


def counted(all):
    """The numbers of required and of further scenarios."""
    required = sum(reason is None for reason in all.values())
    return required, len(all) - required


def passed(output):
    return re.search(r"Passed: (\d+)/\d+, (\d+) failed, (\d+) warnings", output)


def passes(output):
    result = passed(output)
    return result is not None and result[2] == result[3] == "0"


def check_server(revision, all, url, proxied_urls, notes, pool):
    answered, empty = {}, []
    for name, reason in all.items():
        before = notes.stat().st_size
        # Extensions do not belong to a revision.
        version = [] if reason == "extension" else ["--spec-version", revision]
        running = [pool.submit(run, "server", "--url", proxied, "--scenario", name, *version) for proxied in proxied_urls]
        output = run("server", "--url", url, "--scenario", name, *version)
        outputs = [proxied.result() for proxied in running]
        # Some checks wait for 1.5 seconds, which a busy machine may need for other work. So a scenario that does not pass runs again, alone.
        if not passes(output):
            output = run("server", "--url", url, "--scenario", name, *version)
        result = passed(output)
        for proxied_url, proxied in zip(proxied_urls, outputs):
            if not passes(proxied):
                proxied = run("server", "--url", proxied_url, "--scenario", name, *version)
            behind = passed(proxied)
            # The suite makes some checks only if an answer is a stream. The proxy answers with a stream only if it needs one, so the number of checks may differ.
            if result is None or behind is None or result.group(2, 3) != behind.group(2, 3):
                unexpected.append(f"{revision} server {name}, behind the proxy at {proxied_url}")
                print(proxied)
        lines = notes.read_text()[before:].splitlines()
        if result and result[1] == "0":
            empty.append(name)
        else:
            answered[name] = list(dict.fromkeys(line.strip() for line in lines))
        print(f"     {name}: {result[0] if result else 'no result'}")
        if not passes(output):
            unexpected.append(f"{revision} server {name}")
            print(output)
    ours = [name for name, requests in answered.items() if not requests]
    required, further = counted(all)
    without_checks = f" No checks exist yet for {names(empty)}." if empty else ""
    yield f"The server passes {len(answered)} of {len(all)} scenarios: {required} are required, and {further} are further ones.{without_checks}"
    yield f"All {len(all)} scenarios have the same results behind the proxy."
    yield f"`tool-mcp` answers all requests of {len(ours)} scenarios:"
    yield listed(ours)
    yield f"In the other {len(answered) - len(ours)} scenarios, the fixture answers some or all requests:"
    yield ["| scenario | answered by the fixture |", "| --- | --- |"] + [
        f"| `{name}` | {', '.join(f'`{request}`' for request in requests)} |" for name, requests in answered.items() if requests
    ]


def check_client(revision, all):
    output = run("client", "--command", client, "--requirements", revision)
    results = re.findall(r"^(✓|✗) (\S+): (.*)$", output, re.MULTILINE)
    failed = {name for mark, name, _ in results if mark == "✗"}
    for _, name, result in results:
        print(f"     {name}: {result}")
    if {name for _, name, _ in results} != set(all) or failed != FAILING:
        unexpected.append(f"{revision} client {failed ^ FAILING or 'does not run every scenario'}")
        print(output)
    authorization = [name for name in all if name.startswith("auth/")]
    ours = [name for name in all if name not in authorization]
    required, further = counted(all)
    yield f"The client passes {len(all) - len(failed)} of {len(all)} scenarios: all {required} required ones, and {further - len(failed)} of {further} further ones."
    yield f"`connect` passes {len(ours)} scenarios without authorization:"
    yield listed(ours)
    yield f"The other {len(authorization)} scenarios are about authorization: the `AuthClient` of `rmcp` obtains the tokens for `connect`."
    yield f"{len(failed)} further scenarios fail: {names(name for name in all if name in failed)}."
    login = f"{sys.executable} {pathlib.Path(__file__).with_name('login_client.py')} {toolbox}"
    output = run("client", "--command", login, "--requirements", revision)
    results = dict(re.findall(r"^(?:✓|✗) (auth/\S+): \d+ passed, (\d+) failed", output, re.MULTILINE))
    required = [name for name in authorization if all[name] is None]
    ours = [name for name in required if results.get(name) == "0"]
    if missing := set(required) - set(ours) - WITHOUT_LOGIN:
        unexpected.append(f"{revision} login {missing}")
        print(output)
    others = names(name for name in required if name not in ours)
    yield f"With `toolbox login` and `toolbox proxy --url`, {len(ours)} of the {len(required)} required scenarios about authorization pass{f', all except {others}' if others else ''}."


def main():
    text = []
    with tempfile.TemporaryDirectory() as folder:
        notes = pathlib.Path(folder, "notes")
        with notes.open("w") as file:
            serving = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file, text=True)
        url = serving.stdout.readline().strip()
        # Its requests are not counted.
        remote = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        pool, proxies, proxied_urls = concurrent.futures.ThreadPoolExecutor(), [], []
        for upstream in ["--", server, "--stdio"], ["--url", remote.stdout.readline().strip()]:
            proxy = subprocess.Popen([toolbox, "proxy", "--http", "127.0.0.1:0", *upstream], stderr=subprocess.PIPE, text=True)
            proxied_urls.append(proxy.stderr.readline().split()[-1])
            proxies.append(proxy)
            # Otherwise, the proxy would stop once the pipe is full.
            pool.submit(proxy.stderr.read)
        for revision in REVISIONS:
            all = scenarios(revision)
            print(f"\n== conformance suite, server, {revision}")
            text += [f"## Server, {revision}", *check_server(revision, all["server"], url, proxied_urls, notes, pool)]
            print(f"\n== conformance suite, client, {revision}")
            text += [f"## Client, {revision}", *check_client(revision, all["client"])]
        for proxy in proxies:
            proxy.terminate()
            proxy.wait(timeout=30)
        for process in serving, remote:
            process.stdin.close()
            process.wait(timeout=30)
    blocks = ["\n".join(block) if isinstance(block, list) else block for block in text]
    guide = GUIDE.read_text()
    before, rest = guide.split(START)
    after = rest.split(END)[1]
    now = "\n\n".join([before + START, *blocks, END + after])
    if "--bless" in sys.argv:
        GUIDE.write_text(now)
    elif now != guide:
        unexpected.append(f"{GUIDE} differs; scripts/judges-mcp --bless writes it")
        print("\n".join(difflib.unified_diff(guide.splitlines(), now.splitlines(), "guide", "now", lineterm="")))
    print(f"\n{len(unexpected)} unexpected results", *unexpected, sep="\n")
    sys.exit(1 if unexpected else 0)


main()

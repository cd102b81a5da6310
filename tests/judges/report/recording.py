"""Prints a recording: calls whose texts try to run a script in a page, and a number of other calls after them.

In: the number of calls, `calls` or `conversation`, and a number that changes the calls.
"""

import json
import random
import sys

is_conversation = sys.argv[2] == "conversation"
random.seed(int(sys.argv[3]))
print(json.dumps({"recording": 1, "at_ms": 1_700_000_000_000, "tools": [{"name": "search"}]}))
at = 1_700_000_000_000
TOOLS = ["search", "create_issue", "delete_file", "weather"]
VERDICTS = ["ok"] * 6 + ["repaired", "rejected", "throttled"]
RUN = "window.hit=1"
TEXTS = [
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</title><script>{RUN}</script>",
    f"</style><script>{RUN}</script>",
    f'"><img src=x onerror={RUN}>',
    f"' onmouseover={RUN} x='",
    f"</pre><svg onload={RUN}>",
    f"</option></select><script>{RUN}</script>",
    f"--><script>{RUN}</script>",
    f"]]><script>{RUN}</script>",
    f"javascript:{RUN}",
    f'<a href="javascript:{RUN}">x</a>',
    f'<iframe srcdoc="<script>parent.{RUN}</script>">',
    f"<style>*{{background:url(javascript:{RUN})}}</style>",
    f"<details open ontoggle={RUN}>",
    f'<math><mtext></mtext><mglyph><svg><mtext></mtext><svg><path id="</svg><img onerror={RUN} src=x>">',
    f"\u2028<script>{RUN}</script>\u202e",
    f"\x00<script>{RUN}</script>",
    "&lt;script&gt;",
    f'{{{{constructor.constructor("{RUN}")()}}}}',
]
for text in TEXTS:
    for key in ("tool", "approval", "answer", "arguments", "issues", "repairs"):
        call = {"id": text, "at_ms": at, "tool": "x", "verdict": "rejected"}
        call[key] = {
            "arguments": {text: text, "list": [text]},
            "issues": [{"code": text, "path": text}],
            "repairs": [{"rule": text, "path": text, "before": text, "after": text}],
        }.get(key, text)
        print(json.dumps(call))
    print(json.dumps({"id": 1, "at_ms": at, "tool": text, "arguments": text, "verdict": "ok", "answer": text}))
    # The same arguments as in another recording, with another verdict.
    verdict = random.choice(["ok", "rejected", "throttled"])
    print(json.dumps({"id": 2, "at_ms": at, "tool": text, "arguments": {text: [text]}, "verdict": verdict}))
    if is_conversation:
        for key in ("prompt", "text", "rejected"):
            print(json.dumps({"session": text, "at_ms": at, key: text}))
        print(json.dumps({"session": text, "at_ms": at, "tool": "x", "verdict": "ok", "expands": text}))
in_batch = 0
for number in range(int(sys.argv[1])):
    at += random.randint(200, 20_000)
    if is_conversation and in_batch == 0:
        in_batch = random.choice([1, 1, 2, 4])
        if random.random() < 0.3:
            print(json.dumps({"session": "s", "at_ms": at, "prompt": "Is it going to rain?\nAnd where?"}))
        tokens = {"input": random.randint(100, 9_000), "output": random.randint(5, 90)}
        print(json.dumps({"session": "s", "at_ms": at, "text": random.choice(["", "I will look."]), "tokens": tokens}))
    in_batch = max(0, in_batch - 1)
    verdict = random.choice(VERDICTS)
    arguments = {"query": "rain in Oslo", "limit": random.randint(1, 9), "tags": ["a", "b"], "more": {"x": {"y": None}}}
    call = {"id": number, "at_ms": at, "tool": random.choice(TOOLS), "arguments": arguments, "verdict": verdict}
    call["bytes"] = {"call": random.randint(20, 900), "answer": random.randint(20, 90_000)}
    if is_conversation:
        call["session"] = "s"
    if verdict == "throttled":
        call["retry_ms"] = random.choice([0, 60_000])
    if verdict == "repaired":
        call["repairs"] = [{"rule": "text", "path": "limit", "before": '"3"', "after": "3"}]
    if verdict == "rejected":
        call["issues"] = [{"code": "REQUIRED_FIELD", "path": "query"}, {"code": "RANGE", "path": "limit"}]
        call["answer"] = "The call was rejected.\nlimit: at most 5"
    if verdict in ("ok", "repaired"):
        call["result"] = random.choice(["result"] * 5 + ["failure"])
        call["ms"] = random.random() * 100
    print(json.dumps(call))

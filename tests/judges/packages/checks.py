"""Checks of a client: a line for each, and the number of those that failed."""

failed = 0


def check(name, holds, detail):
    global failed
    print(f"{'ok  ' if holds else 'FAIL'} {name}{'' if holds else f': {detail!r}'}", flush=True)
    failed += not holds


def text(result):
    return "\n".join(part.text for part in result.content if part.type == "text")

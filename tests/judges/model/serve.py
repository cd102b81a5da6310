"""Serves a model with llama.cpp on loopback, with OpenAI's API. In: the prefix of the packages with its parts, their number, a folder for the
joined file, and a port. Prints a line when it listens."""

import importlib
import pathlib
import sys
import time

import xllamacpp

prefix, count, folder, port = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4])
parts = [pathlib.Path(importlib.import_module(f"{prefix}{number}").get_part_path()) for number in range(1, count + 1)]
model = folder / f"{prefix}.gguf"
if not model.exists() or model.stat().st_size != sum(part.stat().st_size for part in parts):
    with open(model, "wb") as joined:
        for part in parts:
            joined.write(part.read_bytes())

params = xllamacpp.CommonParams()
params.model.path = str(model)
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = port
# Two threads that other programs interrupt wait for each other, and are slower than one.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.use_jinja = True
params.warmup = False
params.cache_ram_mib = 0
server = xllamacpp.Server(params)
print("listening on", server.listening_address, flush=True)
while True:
    time.sleep(3600)

"""A registry of npm packages on disk: registry.py FOLDER PORT_FILE UPSTREAM.

Serves the `.tgz` files of a folder on a free loopback port, which it writes to PORT_FILE. In: requests of `npm` and `npx`. Out: the list of versions of a
package, and its archive. Every other package is that of the registry UPSTREAM, as if ours were published there.
"""

import base64
import hashlib
import http.server
import json
import pathlib
import sys
import tarfile
import urllib.parse

folder, port_file = map(pathlib.Path, sys.argv[1:3])
upstream = sys.argv[3]
archives = {path.name: path.read_bytes() for path in folder.glob("*.tgz")}


def manifest(path):
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile("package/package.json"))


packages = {path.name: manifest(path) for path in folder.glob("*.tgz")}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = urllib.parse.unquote(urllib.parse.urlparse(self.path).path).lstrip("/")
        if path in archives:
            return self.answer(200, archives[path], "application/octet-stream")
        versions = {}
        for file, package in packages.items():
            if package["name"] == path:
                digest = base64.b64encode(hashlib.sha512(archives[file]).digest()).decode()
                dist = {"tarball": f"http://{self.headers['Host']}/{file}", "integrity": f"sha512-{digest}"}
                versions[package["version"]] = {**package, "dist": dist}
        if not versions:
            self.send_response(302)
            self.send_header("Location", urllib.parse.urljoin(upstream, self.path.lstrip("/")))
            self.send_header("Content-Length", "0")
            return self.end_headers()
        document = {"name": path, "dist-tags": {"latest": max(versions)}, "versions": versions}
        self.answer(200, json.dumps(document).encode())

    def answer(self, status, body, kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
port_file.write_text(str(server.server_port))
server.serve_forever()

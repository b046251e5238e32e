"""A small MCP host of its own: starts the server, lists, reads every SKILL.md, and verifies it as the Skills extension asks.

The frontmatter is read with PyYAML, cut out of the file in both ways that hosts have: with and without the line end before the
closing fence. Prints one JSON object: how many skills were verified, and why the others would be refused.
"""

import hashlib
import json
import subprocess
import sys

import yaml


class Server:
    def __init__(self, command, modern):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.modern = modern
        self.ids = 0
        client = {"name": "host.py", "version": "1"}
        if not modern:
            self.request(
                "initialize",
                {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client},
            )
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": client,
            "io.modelcontextprotocol/clientCapabilities": {},
        }

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.ids += 1
        if self.modern:
            params = {**params, "_meta": self.meta}
        self.send({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        answer = json.loads(self.process.stdout.readline())
        if answer.get("id") != self.ids or "result" not in answer:
            raise RuntimeError(f"{method}: {answer}")
        return answer["result"]

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def equal(listed, read):
    """Equality that tells true from 1, as JSON does."""
    if isinstance(listed, bool) or isinstance(read, bool):
        return listed is read
    if isinstance(listed, dict) and isinstance(read, dict):
        return list(listed) == list(read) and all(equal(listed[key], read[key]) for key in listed)
    if isinstance(listed, list) and isinstance(read, list):
        return len(listed) == len(read) and all(map(equal, listed, read))
    if isinstance(listed, (int, float)) and isinstance(read, (int, float)):
        return listed == read
    return type(listed) is type(read) and listed == read


def cuts(text):
    """The frontmatter of a SKILL.md, with and without its last line end."""
    lines = text.split("\n")
    end = next(i for i, line in enumerate(lines) if i > 0 and line.rstrip("\r") == "---")
    block = "\n".join(lines[1:end])
    return [block, block + "\n"]


def verify(server, skill):
    content = server.request("resources/read", {"uri": skill["uri"]})["contents"]
    if len(content) != 1 or content[0]["uri"] != skill["uri"]:
        return "the answer is another file"
    raw = content[0]["text"].encode()
    entry = next(file for file in skill["resources"] if file["uri"] == skill["uri"])
    if len(raw) != entry["size"]:
        return "size"
    if "sha256:" + hashlib.sha256(raw).hexdigest() != entry["digest"]:
        return "digest"
    for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        for cut in cuts(raw.decode()):
            try:
                read = yaml.load(cut, Loader=loader)
            except yaml.YAMLError as error:
                return f"{loader.__name__} cannot read it: {error}"
            if not equal(skill["frontmatter"], read):
                return f"{loader.__name__} reads {read!r}, listed is {skill['frontmatter']!r}"
    return None


def main(modern, command):
    server = Server(command, modern)
    verified, refused, params, names = 0, {}, {}, []
    while True:
        page = server.request("skills/list", params)
        for skill in page["skills"]:
            names.append(skill["uri"])
            reason = verify(server, skill)
            if reason is None:
                verified += 1
            else:
                refused[skill["uri"]] = reason
        if "nextCursor" not in page:
            break
        params = {"cursor": page["nextCursor"]}
    status = server.close()
    json.dump({"verified": verified, "distinct": len(set(names)), "refused": refused, "status": status}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1] == "modern", sys.argv[2:])

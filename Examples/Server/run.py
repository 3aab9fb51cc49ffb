#!/usr/bin/env python3
"""Starts the server with Litestream and `strata follow`, sends it load, kills it twice and replaces it
once, and says what was lost. Ends with an error when something that must hold doesn't.

usage: run.py PROGRAMS STRATA LITESTREAM   (a folder, and two programs)
"""

import collections
import contextlib
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
from programs import Failed, Programs, Receiver  # noqa: E402

TENANTS = ["north", "south", "west"]
CONNECTIONS = 100
SECONDS = 10  # for each of three parts
INTERVAL = 1  # of Litestream, in seconds
# How far Litestream may be behind its interval on a machine that is busy with everything at once.
SLACK = 2
PLENTY, RARE = 1_000_000, 30


class Run:
    def __init__(self, folder, programs, strata, litestream):
        self.folder, self.programs = folder, Programs(folder)
        self.server_program = {1: programs / "ShopServerBefore", 2: programs / "ShopServer"}
        self.load_program, self.strata, self.litestream = programs / "ShopLoad", strata, litestream
        self.data, self.backup = folder / "data", folder / "backup"
        self.replicas, self.address_file = folder / "replicas", folder / "address"
        self.receiver = Receiver()
        self.reads, self.writes, self.answered = [], [], 0
        self.problems = []

    # Programs

    def start_server(self, version, name="server", file=None):
        file = file or self.address_file
        file.unlink(missing_ok=True)
        process = self.programs.start(
            name, self.server_program[version], "--data", self.data, "--port", 0,
            "--address-file", file, "--receiver", self.receiver.url)
        self.wait_for(f"the {name}'s address", file.exists, process)
        return process

    def start_litestream(self):
        databases = "".join(
            f"  - path: {self.data / tenant}.sqlite\n    monitor-interval: 100ms\n"
            f"    replica:\n      type: file\n"
            f"      path: {self.backup / tenant}\n      sync-interval: {INTERVAL}s\n"
            for tenant in TENANTS)
        file = self.folder / "litestream.yml"
        file.write_text(f"dbs:\n{databases}")
        return self.programs.start("litestream", self.litestream, "replicate", "-config", file)

    def start_reader(self, version):
        file = self.folder / "reader-address"
        file.unlink(missing_ok=True)
        process = self.programs.start(
            "reader", self.server_program[version], "--replicas", self.replicas, "--port", 0,
            "--address-file", file)
        self.wait_for("the reader's address", file.exists, process)
        return process, file.read_text().strip()

    def load(self, seconds=SECONDS):
        output = self.folder / "load.json"
        output.unlink(missing_ok=True)
        process = self.programs.start(
            "load", self.load_program, "--address-file", self.address_file, "--tenants",
            ",".join(TENANTS), "--connections", CONNECTIONS, "--seconds", seconds, "--output",
            output)

        def result():
            if process.wait(seconds + 40) != 0:
                raise Failed(f"The load ended with status {process.returncode}.")
            self.programs.running.remove(process)
            record = json.loads(output.read_text())
            self.reads += record["reads"]
            self.writes += record["writes"]
            self.answered += len(record["reads"]) + len(record["writes"])
            for text in record["unexpected"]:
                self.problems.append(f"An answer that nobody expects: {text}")
            return record

        return result

    # Requests

    @property
    def address(self):
        return self.address_file.read_text().strip()

    def send(self, path, body=None, method=None, address=None, key=None):
        """The status, the JSON and the headers of an answer."""
        request = urllib.request.Request(
            f"http://{address or self.address}{path}", method=method,
            data=None if body is None else json.dumps(body).encode())
        if key:
            request.add_header("Idempotency-Key", key)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers

    def ask(self, path, *arguments, expected=(200, 201), **named):
        status, text, _ = self.send(path, *arguments, **named)
        if status not in expected:
            raise Failed(f"{path} was answered with {status}: {text}")
        return json.loads(text)

    def all(self, tenant, kind, address=None):
        items, last = [], None
        while True:
            page = self.ask(
                f"/tenants/{tenant}/{kind}?limit=500" + (f"&after={last}" if last else ""),
                address=address)
            items += page["items"]
            last = page.get("next")
            if not last:
                return items

    def wait_for(self, what, is_there, process=None, seconds=30):
        limit = time.monotonic() + seconds
        while True:
            with contextlib.suppress(OSError):
                if is_there():
                    return
            if process and process.poll() is not None:
                raise Failed(f"{what} doesn't come: the program ended with {process.returncode}.")
            if time.monotonic() > limit:
                raise Failed(f"{what} doesn't come within {seconds} s.")
            time.sleep(0.05)

    # What must hold

    def expect(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def check_orders(self, tenant, version):
        """Reads everything that a tenant has, and returns the ids of its orders."""
        orders = self.all(tenant, "orders")
        sold = collections.Counter()
        for order in orders:
            for line in order["lines"]:
                sold[line["sku"]] += line["quantity"]
            if version == 2:
                total = sum(line["quantity"] * line["price"] for line in order["lines"])
                self.expect(order["total"] == total, f"{tenant}: the total of {order} is wrong.")
        for product in self.all(tenant, "products"):
            there = RARE if product["sku"] == "RARE" else PLENTY
            self.expect(
                product["stock"] >= 0 and product["stock"] + sold[product["sku"]] == there,
                f"{tenant}: of {product} {sold[product['sku']]} were sold.")
        numbers = [order["number"] for order in orders]
        self.expect(
            numbers == list(range(1, len(numbers) + 1)), f"{tenant}: numbers have gaps.")
        return [order["id"] for order in orders]

    def check(self, version, answered, lost_before=None, unanswered=0):
        """Compares what was answered with what is there; returns what was lost.

        lost_before: the time at which a machine was lost: only answers of before may be lost.
        """
        lost, count = [], 0
        by_tenant = collections.defaultdict(dict)
        for answer in answered:
            by_tenant[answer["tenant"]][answer["id"]] = answer["at"]
        for tenant in TENANTS:
            ids = self.check_orders(tenant, version)
            count += len(ids)
            here = set(ids)
            missing = [at for id, at in by_tenant[tenant].items() if id not in here]
            lost += missing
            for at in missing:
                self.expect(
                    lost_before is not None and at <= lost_before,
                    f"{tenant}: an order that was answered is lost.")
            extra = here - set(by_tenant[tenant])
            self.expect(
                len(extra) <= unanswered,
                f"{tenant}: {len(extra)} orders are there that were answered to nobody: done twice?")
            self.wait_for(
                f"each order of {tenant} at the receiver",
                lambda: here <= set(self.receiver.counts(tenant)))
            twice = [id for id, times in self.receiver.counts(tenant).items() if times > 1]
            self.expect(not twice, f"{tenant}: the receiver took {len(twice)} orders twice.")
        return lost, count

    # The parts

    def run(self):
        self.data.mkdir()
        self.replicas.mkdir()
        begin = time.monotonic()
        server = self.start_server(1)
        self.fill()
        litestream = self.start_litestream()
        followers = [
            self.programs.start(
                "follow", self.strata, "follow", f"file://{self.backup / tenant}",
                self.replicas / f"{tenant}.replica", "--interval", "0.5", "--litestream",
                self.litestream)
            for tenant in TENANTS]
        reader, self.reader_address = self.start_reader(1)
        self.wait_for("the first versions of the replicas", lambda: all(
            self.send(f"/tenants/{tenant}", address=self.reader_address)[0] == 200
            for tenant in TENANTS))
        self.answers = []
        server = self.part_killed(server)
        server = self.part_replaced(server)
        self.programs.end(reader, "The reader at version 1")
        reader, self.reader_address = self.start_reader(2)
        server, litestream = self.part_lost(server, litestream)
        self.check_reader()
        self.programs.end(server, "The server")
        self.programs.end(reader, "The reader")
        for follower in followers:
            self.programs.end(follower, "strata follow")
        self.programs.end(litestream, "Litestream")
        self.report(time.monotonic() - begin)

    def fill(self):
        for tenant in TENANTS:
            self.ask(f"/tenants/{tenant}", method="PUT")
            for number in range(20):
                self.ask(f"/tenants/{tenant}/products", {
                    "sku": f"P-{number}", "name": f"Product {number}", "price": 100 + number,
                    "stock": PLENTY})
            self.ask(f"/tenants/{tenant}/products", {
                "sku": "RARE", "name": "Few of these", "price": 1, "stock": RARE})
            for number in range(10):
                self.ask(f"/tenants/{tenant}/customers", {
                    "email": f"c{number}@example.org", "name": f"Customer {number}"})

    def first_after(self, record, moment):
        times = [answer["at"] for answer in record["answered"] if answer["at"] > moment]
        return min(times) - moment if times else float("nan")

    def part_killed(self, server):
        print(f"1. Version 1 gets load for {SECONDS} s over {CONNECTIONS} connections, and is "
              "killed in the middle.")
        result = self.load()
        delays = self.measure_delay(4)
        self.programs.kill(server)
        killed = time.time()
        server = self.start_server(1)
        started = time.time()
        record = result()
        self.answers += record["answered"]
        lost, count = self.check(1, self.answers, unanswered=record["open"])
        print(f"   Restarted on the same files, it answered "
              f"{started - killed + self.first_after(record, started):.1f} s after the kill.\n   Orders answered: {len(record['answered'])}, of them "
              f"{replays(record)} whose first answer was lost with the process."
              f"\n   Lost of what was answered: {len(lost)}. Done twice: 0."
              f"\n   From an order to the reader of the replica: "
              f"{', '.join(f'{delay:.1f}' for delay in delays)} s.")
        return server

    def measure_delay(self, count):
        """Waits until the reader shows an order that was placed now."""
        delays = []
        for number in range(count):
            key = f"probe-{number}-{time.time()}"
            order = self.ask(
                "/tenants/north/orders",
                {"customer": "c1@example.org", "lines": [{"sku": "P-1", "quantity": 1}]}, key=key)
            start = time.monotonic()
            self.answers.append({"tenant": "north", "id": order["id"], "at": time.time()})
            path = f"/tenants/north/orders/{order['number']}"
            self.wait_for("the order at the reader", lambda: self.send(
                path, address=self.reader_address)[0] == 200, seconds=20)
            delays.append(time.monotonic() - start)
        return delays

    def part_replaced(self, old):
        print(f"2. Version 2 takes over in the middle of {SECONDS} s of load: a rolling migration.")
        result = self.load()
        time.sleep(SECONDS / 3)
        begin = time.time()
        file = self.folder / "new-address"
        new = self.start_server(2, "new-server", file)
        address = file.read_text().strip()
        for tenant in TENANTS:
            self.ask(f"/tenants/{tenant}", address=address)
        migrated = time.time()
        # The old one refuses what it can't do any more, and says so; it doesn't end by itself.
        order = {"customer": "c1@example.org", "lines": [{"sku": "P-1", "quantity": 1}]}
        status, text, _ = self.send(
            "/tenants/north/orders", order, key=f"old-program-{begin}")
        self.expect(
            status == 503 and json.loads(text)["error"]["code"] == "other_version",
            f"The old program answered {status} to an order: {text}")
        ready, _, _ = self.send("/ready")
        self.expect(ready == 503, f"The old program says {ready} to /ready.")
        self.ask("/ready", address=address)
        staged = self.folder / "staged"
        staged.write_text(address)
        staged.rename(self.address_file)
        self.programs.end(old, "The server at version 1")
        record = result()
        self.answers += record["answered"]
        lost, count = self.check(2, self.answers, unanswered=record["open"])
        print(f"   It has migrated {len(TENANTS)} files {migrated - begin:.1f} s after its start. "
              f"Orders answered: {len(record['answered'])}, {record['unavailable']} times "
              f"\"503\" and again. Lost: {len(lost)}."
              f"\n   The old one answered 503, was not ready, and ended with status 0 when asked.")
        return new

    def part_lost(self, server, litestream):
        print(f"3. The machine is lost in the middle of {SECONDS} s of load: server and Litestream "
              "are killed, the files deleted.")
        result = self.load()
        time.sleep(SECONDS / 2)
        self.programs.kill(server, litestream)
        killed = time.time()
        shutil.rmtree(self.data)
        self.data.mkdir()
        for tenant in TENANTS:
            subprocess.run(
                [self.litestream, "restore", "-o", self.data / f"{tenant}.sqlite",
                 "-integrity-check", "full", f"file://{self.backup / tenant}"],
                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        restored = time.time()
        server = self.start_server(2)
        started = time.time()
        litestream = self.start_litestream()
        record = result()
        self.answers += record["answered"]
        lost, count = self.check(2, self.answers, lost_before=restored, unanswered=record["open"])
        span = max((killed - at for at in lost), default=0)
        self.expect(span <= INTERVAL + SLACK, f"What was lost goes back {span:.1f} s.")
        at_receiver = sum(
            len(self.receiver.counts(tenant)) for tenant in TENANTS) - count
        print(f"   Restored and restarted, it answered "
              f"{started - killed + self.first_after(record, started):.1f} s after the loss.\n   Orders answered: {len(record['answered'])}. Lost of what was "
              f"answered: {len(lost)}, all of the last {span:.2f} s before the loss; the interval "
              f"of Litestream is {INTERVAL} s."
              f"\n   The receiver has {at_receiver} orders that the shop has lost.")
        return server, litestream

    def check_reader(self):
        """The replica must come to the same orders as the server."""
        for tenant in TENANTS:
            here = [order["id"] for order in self.all(tenant, "orders")]
            begin = time.monotonic()
            self.wait_for(f"the replica of {tenant} to be up to date", lambda: [
                order["id"] for order in self.all(tenant, "orders", address=self.reader_address)
            ] == here)
        status, text, headers = self.send("/tenants/north", address=self.reader_address)
        self.expect("As-Of" in headers, "The reader doesn't say as of when it answers.")
        status, _, _ = self.send(
            "/tenants/north/products", {}, address=self.reader_address)
        self.expect(status == 405, f"The reader answers {status} to a write.")
        self.wait_for("the reader to be ready", lambda: self.send(
            "/ready", address=self.reader_address)[0] == 200)
        _, text, _ = self.send("/metrics", address=self.reader_address)
        lags = [line for line in text.splitlines() if line.startswith("shop_replica_lag_seconds{")]
        self.expect(len(lags) == len(TENANTS), f"The reader tells {len(lags)} lags.")
        print("4. The reader on the replicas has the same orders, and says their lag is, in seconds: "
              + ", ".join(f"{float(line.split()[-1]):.1f}" for line in lags) + ".")

    def report(self, seconds):
        entries, repeated = len(self.receiver.entries), self.receiver.repeated
        print(f"\nAnswered: {self.answered} requests in {3 * SECONDS} s, {seconds:.0f} s in all."
              f"\nThe outbox's receiver has {entries} entries"
              + ("" if self.problems else ", each once, and none is missing")
              + f"; {repeated} came again and were known by their token."
              f"\n\nmilliseconds       p50     p95     p99     max")
        for name, times in ("reads", self.reads), ("writes", self.writes):
            times.sort()
            print(f"{name:14}" + "".join(
                f"{times[min(len(times) - 1, int(len(times) * part))]:8.1f}"
                for part in (0.5, 0.95, 0.99, 1)))


def replays(record):
    return sum(answer["isReplay"] for answer in record["answered"])


def main():
    programs, strata, litestream = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="example-server-"))
    run = Run(folder, programs, strata, litestream)
    # Ends with what it has started, whatever happens.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        run.run()
    except Failed as error:
        run.problems.append(str(error))
    finally:
        run.programs.kill_all()
        if run.problems:
            for log in sorted(folder.glob("*.log")):
                text = log.read_text(errors="replace").splitlines()
                print(f"--- {log.name}", *(line[:300] for line in text[-15:]), sep="\n", file=sys.stderr)
        shutil.rmtree(folder)
    for problem in run.problems[:20]:
        print(f"WRONG: {problem}", file=sys.stderr)
    sys.exit(1 if run.problems else 0)


if __name__ == "__main__":
    main()

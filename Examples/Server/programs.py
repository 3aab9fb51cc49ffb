"""What `run.py` starts, and what receives from it."""

import collections
import contextlib
import http.server
import json
import os
import signal
import subprocess
import sys
import threading


class Failed(Exception):
    pass


class Programs:
    """What was started, so that it can be ended."""

    def __init__(self, folder):
        self.folder = folder
        self.running = []

    def start(self, name, *arguments):
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen(
            [str(argument) for argument in arguments], stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, start_new_session=True)
        log.close()
        self.running.append(process)
        return process

    def kill(self, *processes):
        for process in processes:
            os.killpg(process.pid, signal.SIGKILL)
        for process in processes:
            process.wait()
            self.running.remove(process)

    def end(self, process, name):
        """Asks a program to end, and expects that it does so in good order."""
        process.send_signal(signal.SIGTERM)
        try:
            status = process.wait(30)
        except subprocess.TimeoutExpired:
            raise Failed(f"{name} doesn't end within 30 s.")
        self.running.remove(process)
        if status != 0:
            raise Failed(f"{name} ended with status {status}.")

    def kill_all(self):
        # First as a service is ended: `strata follow` ends its Litestream then.
        for process in self.running:
            process.terminate()
        for process in self.running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Receiver:
    """Takes what the outbox sends, each entry once: a token that it has had is no news."""

    def __init__(self):
        self.lock = threading.Lock()
        self.entries = {}  # (tenant, token): ids of orders
        self.repeated = 0
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["content-length"])))
                receiver.take(message)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                # The server is killed while it sends.
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(*_)

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/orders"

    def take(self, message):
        with self.lock:
            for entry in message["entries"]:
                key = (message["tenant"], entry["token"])
                if key in self.entries:
                    self.repeated += 1
                else:
                    self.entries[key] = [order["id"] for order in entry["orders"]]

    def counts(self, tenant):
        """How often each order came."""
        with self.lock:
            return collections.Counter(
                order for (name, _), orders in self.entries.items() if name == tenant
                for order in orders)

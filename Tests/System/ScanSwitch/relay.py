#!/usr/bin/env python3
"""A bad network between scanners and a server: everything comes late, and connections break.

    relay.py --listen 127.0.0.1:9001 --to 127.0.0.1:8080 [--delay 0.08] [--break-seconds 3] [--seed N]

Bytes of both directions are delayed. Every `--break-seconds` on average one open connection is reset. It ends by a
signal, and prints the number of connections and of broken ones.
"""
import argparse
import asyncio
import json
import random
import signal
import socket
import struct


class Relay:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.open = {}
        self.connections = self.broken = 0

    async def pipe(self, reader, writer):
        """Passes bytes on in order, each some time after it came."""
        loop, queue = asyncio.get_running_loop(), asyncio.Queue()

        async def take():
            while True:
                content = await reader.read(65536)
                await queue.put((loop.time() + self.options.delay, content))
                if not content:
                    return

        taking = asyncio.create_task(take())
        try:
            while True:
                moment, content = await queue.get()
                await asyncio.sleep(max(0, moment - loop.time()))
                if not content:
                    break
                writer.write(content)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
        finally:
            taking.cancel()

    async def serve(self, reader, writer):
        number = self.connections
        self.connections += 1
        host, _, port = self.options.to.rpartition(":")
        try:
            there = await asyncio.open_connection(host, int(port))
        except OSError:
            writer.close()
            return
        task = asyncio.gather(self.pipe(reader, there[1]), self.pipe(there[0], writer))
        self.open[number] = (task, writer, there[1])
        try:
            await task
        except (asyncio.CancelledError, OSError):
            pass
        finally:
            del self.open[number]
            writer.close()
            there[1].close()

    async def break_connections(self):
        while True:
            await asyncio.sleep(self.random.expovariate(1 / self.options.break_seconds))
            if not self.open:
                continue
            task, *writers = self.open[self.random.choice(sorted(self.open))]
            for writer in writers:
                # Closed without what is left to send, so that both ends see a reset.
                made = writer.get_extra_info("socket")
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
            task.cancel()
            self.broken += 1

    async def run(self):
        host, _, port = self.options.listen.rpartition(":")
        server = await asyncio.start_server(self.serve, host, int(port))
        breaking = asyncio.create_task(self.break_connections())
        ended = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        await ended.wait()
        breaking.cancel()
        server.close()
        print(json.dumps({"connections": self.connections, "broken": self.broken}), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--listen", required=True)
    parser.add_argument("--to", required=True)
    parser.add_argument("--delay", type=float, default=0.08)
    parser.add_argument("--break-seconds", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    asyncio.run(Relay(parser.parse_args()).run())


if __name__ == "__main__":
    main()

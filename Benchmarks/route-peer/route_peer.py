#!/usr/bin/env python3
"""The peers of `benchmark route`: RoutingKit's customisable contraction hierarchy, and scipy.

    route_peer.py FOLDER pyroutingkit|scipy QUERIES

FOLDER has the files that the benchmark wrote: `tail.u32`, `head.u32` and `cost.u32` with an entry for each
arc, `latitude.f32` and `longitude.f32` with one for each node, and `queries.u32` with pairs of nodes. The
script answers QUERIES of the queries with their paths, one at a time, and prints one JSON object. The rate
is that of the answers only, in processor time.
"""

import json
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np

WARM_UP = 20
CHANGES = 500
CLOSED = 2**31 - 1


class Graph:
    def __init__(self, folder):
        def read(name, kind):
            return np.fromfile(os.path.join(folder, name), kind)

        self.tail = read("tail.u32", np.uint32)
        self.head = read("head.u32", np.uint32)
        self.cost = read("cost.u32", np.uint32)
        self.latitude = read("latitude.f32", np.float32)
        self.longitude = read("longitude.f32", np.float32)
        self.queries = read("queries.u32", np.uint32).reshape(-1, 2)
        self.count = len(self.latitude)


def spent(body):
    """The seconds of processor time that the work takes."""
    start = time.process_time()
    body()
    return time.process_time() - start


class RoutingKit:
    """Uses both classes of pyroutingkit: CCH has the faster query, which returns nodes only; CCHMetric
    supports changes."""

    def __init__(self, graph, folder):
        from pyroutingkit import CCH, CCHMetric, CCHTopology

        self.hierarchy = CCH()
        places = (graph.latitude, graph.longitude)
        build = spent(
            lambda: self.hierarchy.build_topology(graph.tail, graph.head, *places, graph.count)
        )
        times = [spent(lambda: self.hierarchy.customize_weights(graph.cost)) for _ in range(15)]
        saved = os.path.join(folder, "topology")
        os.makedirs(saved, exist_ok=True)
        self.hierarchy.save_topology(saved)
        topology = CCHTopology()
        topology.load(saved)
        metric = CCHMetric(topology)
        metric.customize(graph.cost, 1)
        self.told = {
            "buildSeconds": build,
            "customiseMilliseconds": 1e3 * np.median(times),
            "changeMilliseconds": 1e3 * np.median(list(self.changes(metric, graph))),
        }

    @staticmethod
    def changes(metric, graph):
        """The times to close single arcs and to open them again."""
        for arc in np.linspace(0, len(graph.cost) - 1, CHANGES).astype(np.uint32):
            for cost in (CLOSED, graph.cost[arc]):
                change = np.array([arc], np.uint32), np.array([cost], np.uint32)
                yield spent(lambda: metric.update_weights(*change))

    def route(self, start, end):
        return self.hierarchy.query(start, end)


class Scipy:
    def __init__(self, graph, folder):
        from scipy.sparse import coo_matrix

        # Keep only the cheapest of parallel arcs; the matrix would add their costs.
        order = np.lexsort((graph.cost, graph.head, graph.tail))
        ends = np.stack((graph.tail[order], graph.head[order]))
        first = np.append(True, (ends[:, 1:] != ends[:, :-1]).any(axis=0))
        costs = graph.cost[order][first].astype(np.float64)
        shape = (graph.count, graph.count)
        self.matrix = coo_matrix((costs, ends[:, first]), shape).tocsr()
        self.told = {}

    def route(self, start, end):
        from scipy.sparse.csgraph import dijkstra

        costs, before = dijkstra(self.matrix, indices=start, return_predecessors=True)
        path = [end]
        while path[-1] != start and before[path[-1]] >= 0:
            path.append(before[path[-1]])
        return costs[end], path[::-1]


def main():
    folder, method, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    graph = Graph(folder)
    peer = {"pyroutingkit": RoutingKit, "scipy": Scipy}[method](graph, folder)
    queries = graph.queries[:count].tolist()
    for start, end in queries[:WARM_UP]:
        peer.route(start, end)

    cost_sum = 0
    seconds = []
    start_of_all = time.process_time()
    for start, end in queries:
        began = time.perf_counter()
        cost, _ = peer.route(start, end)
        seconds.append(time.perf_counter() - began)
        cost_sum += int(cost)
    elapsed = time.process_time() - start_of_all

    told = {
        "queries": len(queries),
        "seconds": elapsed,
        "medianMicroseconds": 1e6 * float(np.median(seconds)),
        "worstPercentMicroseconds": 1e6 * float(np.percentile(seconds, 99)),
        "costSum": cost_sum,
    }
    print(json.dumps(told | peer.told))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The peers of `benchmark locate`: k nearest neighbours in scikit-learn and in numpy.

    locate_peer.py FOLDER sklearn|numpy QUERIES

FOLDER has the files that the benchmark wrote: `shape.txt` with the numbers of fingerprints, access points
and queries; `map.rssi` and `queries.rssi`, each row in int8 dBm (127: not received); `map.places` and
`queries.places`, each row x, y and floor in float64. The script answers QUERIES of the queries, one at a time,
and prints one JSON object. It measures the processor time of the answers only, not of the preparation.
"""

import json
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

try:
    import numpy as np
except ImportError:
    sys.exit("numpy is missing: pip install numpy")

NEIGHBOURS = 9
NOT_HEARD = 127
WARM_UP = 30


def read(folder):
    with open(os.path.join(folder, "shape.txt"), encoding="ascii") as file:
        fingerprints, access_points, queries = map(int, file.read().split())

    def table(name, rows):
        rssi = np.fromfile(os.path.join(folder, name + ".rssi"), np.int8)
        places = np.fromfile(os.path.join(folder, name + ".places"), np.float64)
        return rssi.reshape(rows, access_points), places.reshape(rows, 3)

    return table("map", fingerprints), table("queries", queries)


def powed(rssi, weakest):
    """((rssi - minimum) / -minimum)^e, and 0 if not received (Torres-Sospedra et al. 2015)."""
    minimum = float(weakest) - 1
    strength = np.clip((rssi.astype(np.float64) - minimum) / -minimum, 0, None) ** np.e
    return np.where(rssi == NOT_HEARD, 0, strength).astype(np.float32)


class ScikitLearn:
    """Uses the Euclidean distance, for which scikit-learn has its fastest code."""

    name = "scikit-learn KNeighborsRegressor"

    def __init__(self, strengths, places):
        try:
            from sklearn.neighbors import KNeighborsRegressor
        except ImportError:
            sys.exit("scikit-learn is missing: pip install scikit-learn")
        self.model = KNeighborsRegressor(NEIGHBOURS, algorithm="brute", n_jobs=1)
        self.model.fit(strengths.astype(np.float64), places[:, :2])

    def locate(self, query):
        x, y = self.model.predict(query[None])[0]
        return x, y, None

    def candidates(self):
        return [self.locate]

    @staticmethod
    def convert(queries):
        return queries.astype(np.float64)


class Numpy:
    """Uses Sorensen's distance, over the columns of the access points that the query received."""

    def __init__(self, strengths, places):
        self.points = np.ascontiguousarray(places[:, :2])
        self.floors = places[:, 2].astype(np.intp)
        self.totals = strengths.sum(axis=1)
        self.columns = np.ascontiguousarray(strengths.T)
        self.rows = [np.flatnonzero(column) for column in self.columns]
        self.heard = [column[rows] for column, rows in zip(self.columns, self.rows)]
        self.shared = np.empty(len(strengths), np.float32)
        self.buffer = np.empty(len(strengths), np.float32)

    def by_whole_columns(self, query):
        self.shared.fill(0)
        for column in np.flatnonzero(query):
            np.minimum(self.columns[column], query[column], out=self.buffer)
            np.add(self.shared, self.buffer, out=self.shared)
        return self.vote(query)

    def by_rows_that_heard(self, query):
        self.shared.fill(0)
        for column in np.flatnonzero(query):
            self.shared[self.rows[column]] += np.minimum(self.heard[column], query[column])
        return self.vote(query)

    def vote(self, query):
        np.add(self.totals, query.sum(), out=self.buffer)
        # This is the distance minus 1; only the order matters.
        np.divide(self.shared, self.buffer, out=self.shared)
        np.multiply(self.shared, -2, out=self.shared)
        nearest = np.argpartition(self.shared, NEIGHBOURS)[:NEIGHBOURS]
        weights = 1 / (self.shared[nearest] + 1.01)
        x, y = weights @ self.points[nearest] / weights.sum()
        return x, y, np.bincount(self.floors[nearest], weights).argmax()

    def candidates(self):
        return [self.by_whole_columns, self.by_rows_that_heard]

    @staticmethod
    def convert(queries):
        return queries


def seconds(locate, queries):
    start = time.process_time()
    for query in queries:
        locate(query)
    return time.process_time() - start


def main():
    folder, method, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    (rssi, places), (query_rssi, query_places) = read(folder)
    weakest = rssi.min()
    peer = {"sklearn": ScikitLearn, "numpy": Numpy}[method](powed(rssi, weakest), places)
    chosen = np.linspace(0, len(query_rssi) - 1, min(count, len(query_rssi))).astype(int)
    queries = peer.convert(powed(query_rssi[chosen], weakest))
    truth = query_places[chosen]

    # If there are several ways to compute it, the fastest on this machine counts for the peer.
    locate = min(peer.candidates(), key=lambda way: seconds(way, queries[:WARM_UP]))
    answers = []
    start = time.process_time()
    for query in queries:
        answers.append(locate(query))
    elapsed = time.process_time() - start

    errors = [np.hypot(x - at[0], y - at[1]) for (x, y, _), at in zip(answers, truth)]
    floors = [floor == at[2] for (_, _, floor), at in zip(answers, truth) if floor is not None]
    print(
        json.dumps(
            {
                "way": locate.__name__,
                "queries": len(answers),
                "seconds": elapsed,
                "meanMetres": float(np.mean(errors)),
                "floorHit": float(np.mean(floors)) if floors else None,
            }
        )
    )


if __name__ == "__main__":
    main()

// The peer of `benchmark latency` on PostgreSQL: libpq alone, with two commits for each arrival, one
// after the other.
//
//     postgres-commit-peer CONNINFO BYTES RATE SECONDS
//
// Arrivals come at a fixed rate whether or not the work keeps up; a latency counts from the moment when
// the arrival was due. There are enough connections that no arrival waits for another, and the server
// can flush several commits at once. Statements are prepared and parameters binary. Each INSERT commits
// by itself and waits for its flush if the server is set up so. Prints one line of JSON in milliseconds.
#include <libpq-fe.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { connections = 32 };

static const char *conninfo;
static int payload_bytes;
static double rate;
static long arrivals;
static double *latencies;
static double start_seconds;

static double now_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void sleep_until(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {}
}

static void require(PGconn *connection, PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        fprintf(stderr, "%s", PQerrorMessage(connection));
        exit(1);
    }
    PQclear(result);
}

static PGconn *connect_or_exit(void) {
    PGconn *connection = PQconnectdb(conninfo);
    if (PQstatus(connection) != CONNECTION_OK) {
        fprintf(stderr, "%s", PQerrorMessage(connection));
        exit(1);
    }
    return connection;
}

static void insert(PGconn *connection, const char *statement, const char *payload) {
    const char *values[] = {payload};
    int lengths[] = {payload_bytes};
    int formats[] = {1};
    require(connection, PQexecPrepared(connection, statement, 1, values, lengths, formats, 1));
}

static void *work(void *argument) {
    long first = (long)(intptr_t)argument;
    PGconn *connection = connect_or_exit();
    Oid types[] = {17};
    require(connection, PQprepare(connection, "in", "INSERT INTO peer_in (value) VALUES ($1)", 1, types));
    require(connection, PQprepare(connection, "out", "INSERT INTO peer_out (value) VALUES ($1)", 1, types));
    char *payload = malloc(payload_bytes);
    memset(payload, 'x', payload_bytes);
    for (long arrival = first; arrival < arrivals; arrival += connections) {
        double due = start_seconds + arrival / rate;
        sleep_until(due);
        insert(connection, "in", payload);
        insert(connection, "out", payload);
        latencies[arrival] = (now_seconds() - due) * 1000;
    }
    free(payload);
    PQfinish(connection);
    return NULL;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: %s CONNINFO BYTES RATE SECONDS\n", arguments[0]);
        return 2;
    }
    conninfo = arguments[1];
    payload_bytes = atoi(arguments[2]);
    rate = atof(arguments[3]);
    arrivals = (long)(rate * atof(arguments[4]));
    if (payload_bytes < 1 || rate <= 0 || arrivals < 1) return 2;
    latencies = calloc(arrivals, sizeof *latencies);

    PGconn *connection = connect_or_exit();
    require(connection, PQexec(connection,
        "SET client_min_messages = warning; DROP TABLE IF EXISTS peer_in, peer_out;"
        "CREATE TABLE peer_in (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, value bytea)"
        " WITH (toast_tuple_target = 8160);"
        "CREATE TABLE peer_out (LIKE peer_in INCLUDING ALL) WITH (toast_tuple_target = 8160)"));

    // Half a second for opening the connections and preparing the statements.
    start_seconds = now_seconds() + 0.5;
    pthread_t threads[connections];
    for (long index = 0; index < connections; index++) {
        pthread_create(&threads[index], NULL, work, (void *)(intptr_t)index);
    }
    for (int index = 0; index < connections; index++) pthread_join(threads[index], NULL);

    require(connection, PQexec(connection, "DROP TABLE peer_in, peer_out"));
    PQfinish(connection);
    qsort(latencies, arrivals, sizeof *latencies, compare);
    printf("{\"arrivals\": %ld, \"bytes\": %d, \"rate\": %g, \"p50\": %.3f, \"p99\": %.3f, \"max\": %.3f}\n",
        arrivals, payload_bytes, rate, latencies[arrivals / 2], latencies[arrivals * 99 / 100],
        latencies[arrivals - 1]);
    free(latencies);
    return 0;
}

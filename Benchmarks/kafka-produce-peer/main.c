// The peer of `benchmark ingest-batch`: librdkafka alone, with the settings of our own log. It produces
// the same records over and over.
//
//   kafka-produce-peer BOOTSTRAP TOPIC COUNT VALUE-FILE [KEYS [HEADER-FILE [OUTSTANDING]]]
//
// VALUE-FILE has one value a line; records use them in turn. KEYS is the number of different keys
// (1000). HEADER-FILE has one header a line, `name=value`. OUTSTANDING is the most records that may wait
// for their acknowledgement (50000). Prints one line of JSON; exits with 1 if a record was not
// acknowledged.
#include <librdkafka/rdkafka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAXIMUM_HEADERS = 32, MAXIMUM_TEXT = 4 << 20, MAXIMUM_LINES = 4096 };

static atomic_long acknowledged, failed;
static atomic_bool finished;

static void on_delivery(rd_kafka_t *client, const rd_kafka_message_t *message, void *opaque) {
    (void)client, (void)opaque;
    atomic_fetch_add_explicit(message->err ? &failed : &acknowledged, 1, memory_order_relaxed);
}

static void *serve_reports(void *client) {
    while (!finished) rd_kafka_poll(client, 100);
    return NULL;
}

static void fail(const char *reason) {
    fprintf(stderr, "kafka-produce-peer: %s\n", reason);
    exit(2);
}

static void set(rd_kafka_conf_t *configuration, const char *name, const char *value) {
    char reason[512];
    if (rd_kafka_conf_set(configuration, name, value, reason, sizeof reason) != RD_KAFKA_CONF_OK)
        fail(reason);
}

static rd_kafka_t *make_producer(const char *bootstrap) {
    rd_kafka_conf_t *configuration = rd_kafka_conf_new();
    set(configuration, "bootstrap.servers", bootstrap);
    set(configuration, "enable.idempotence", "true");
    set(configuration, "acks", "all");
    set(configuration, "linger.ms", "5");
    set(configuration, "compression.type", "lz4");
    set(configuration, "partitioner", "murmur2");
    set(configuration, "message.max.bytes", "64000000");
    set(configuration, "delivery.timeout.ms", "30000");
    set(configuration, "queue.buffering.max.messages", "10000000");
    set(configuration, "queue.buffering.max.kbytes", "2097151");
    rd_kafka_conf_set_dr_msg_cb(configuration, on_delivery);
    char reason[512];
    rd_kafka_t *client = rd_kafka_new(RD_KAFKA_PRODUCER, configuration, reason, sizeof reason);
    if (!client) fail(reason);
    return client;
}

static size_t read_file(const char *path, char *bytes, size_t capacity) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    size_t length = fread(bytes, 1, capacity, file);
    fclose(file);
    return length;
}

static struct { const char *bytes; size_t length; } lines[MAXIMUM_LINES];
static int line_count;

static void read_values(const char *path) {
    static char text[MAXIMUM_TEXT];
    text[read_file(path, text, sizeof text - 1)] = 0;
    for (char *line = strtok(text, "\n"); line && line_count < MAXIMUM_LINES;
         line = strtok(NULL, "\n")) {
        lines[line_count].bytes = line;
        lines[line_count++].length = strlen(line);
    }
    if (!line_count) fail("VALUE-FILE is empty");
}

static char *names[MAXIMUM_HEADERS], *values[MAXIMUM_HEADERS];
static int header_count;

static void read_headers(const char *path) {
    static char text[MAXIMUM_TEXT];
    text[read_file(path, text, sizeof text - 1)] = 0;
    for (char *line = strtok(text, "\n"); line && header_count < MAXIMUM_HEADERS;
         line = strtok(NULL, "\n")) {
        char *equals = strchr(line, '=');
        if (!equals) continue;
        *equals = 0;
        names[header_count] = line;
        values[header_count++] = equals + 1;
    }
}

static void produce(
    rd_kafka_t *client, rd_kafka_topic_t *topic, const char *key, long number) {
    rd_kafka_headers_t *headers = rd_kafka_headers_new(8);
    for (int index = 0; index < header_count; index++)
        rd_kafka_header_add(headers, names[index], -1, values[index], -1);
    rd_kafka_resp_err_t error = rd_kafka_producev(
        client, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(RD_KAFKA_PARTITION_UA),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(key, strlen(key)),
        RD_KAFKA_V_VALUE((void *)lines[number % line_count].bytes, lines[number % line_count].length),
        RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END);
    if (error) fail(rd_kafka_err2str(error));
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count < 5) fail("BOOTSTRAP TOPIC COUNT VALUE-FILE [KEYS [HEADER-FILE [OUTSTANDING]]]");
    long records = atol(arguments[3]);
    read_values(arguments[4]);
    long keys = count > 5 ? atol(arguments[5]) : 1000;
    if (count > 6) read_headers(arguments[6]);
    long limit = count > 7 ? atol(arguments[7]) : 50000;
    if (records < 1 || keys < 1 || limit < 1) fail("COUNT, KEYS and OUTSTANDING are at least 1");

    rd_kafka_t *client = make_producer(arguments[1]);
    rd_kafka_topic_t *topic = rd_kafka_topic_new(client, arguments[2], NULL);
    if (!topic) fail(rd_kafka_err2str(rd_kafka_last_error()));
    pthread_t server;
    if (pthread_create(&server, NULL, serve_reports, client)) fail("no thread");

    // Connect before the measurement begins.
    char key[32];
    produce(client, topic, "warm-up", 0);
    while (acknowledged + failed < 1) nanosleep(&(struct timespec){0, 1000000}, NULL);

    double start = seconds(CLOCK_MONOTONIC), start_of_work = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long number = 0; number < records; number++) {
        while (number - (acknowledged + failed) >= limit)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        snprintf(key, sizeof key, "device-%ld", number % keys);
        produce(client, topic, key, number);
    }
    while (acknowledged + failed < records + 1) nanosleep(&(struct timespec){0, 1000000}, NULL);
    double work = seconds(CLOCK_PROCESS_CPUTIME_ID) - start_of_work;
    double elapsed = seconds(CLOCK_MONOTONIC) - start;

    printf(
        "{\"records\":%ld,\"failed\":%ld,\"values\":%d,\"seconds\":%.6f,"
        "\"recordsPerSecond\":%.0f,\"processorSecondsPerRecord\":%.9f}\n",
        records, atomic_load(&failed), line_count, elapsed, records / elapsed, work / records);
    finished = true;
    pthread_join(server, NULL);
    rd_kafka_topic_destroy(topic);
    rd_kafka_destroy(client);
    return failed ? 1 : 0;
}

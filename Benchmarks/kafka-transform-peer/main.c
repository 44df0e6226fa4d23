// The peer of `benchmark latency`: consumes one topic in a group, copies each value to another topic
// and commits outputs and offsets in transactions, with the settings of our own group member.
//
//   kafka-transform-peer BOOTSTRAP INPUT OUTPUT GROUP [BATCH]
//
// A transaction has all records that have come, at most BATCH (500). The program prints `ready` on
// standard error when it has partitions. It runs until SIGTERM or SIGINT and prints one line of JSON.
#include <librdkafka/rdkafka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MILLISECONDS = 5000, MAXIMUM_BATCH = 10000 };

static volatile sig_atomic_t stopping;

static void stop(int signal) {
    (void)signal;
    stopping = 1;
}

static void fail(const char *reason) {
    fprintf(stderr, "kafka-transform-peer: %s\n", reason);
    exit(1);
}

static void check(rd_kafka_error_t *error) {
    if (error) fail(rd_kafka_error_string(error));
}

static void set(rd_kafka_conf_t *configuration, const char *name, const char *value) {
    char reason[512];
    if (rd_kafka_conf_set(configuration, name, value, reason, sizeof reason) != RD_KAFKA_CONF_OK)
        fail(reason);
}

static rd_kafka_conf_t *common(const char *bootstrap) {
    rd_kafka_conf_t *configuration = rd_kafka_conf_new();
    set(configuration, "bootstrap.servers", bootstrap);
    set(configuration, "reconnect.backoff.ms", "50");
    set(configuration, "reconnect.backoff.max.ms", "1000");
    set(configuration, "topic.metadata.refresh.fast.interval.ms", "100");
    return configuration;
}

static rd_kafka_t *make(rd_kafka_type_t type, rd_kafka_conf_t *configuration) {
    char reason[512];
    rd_kafka_t *client = rd_kafka_new(type, configuration, reason, sizeof reason);
    if (!client) fail(reason);
    return client;
}

static void on_rebalance(
    rd_kafka_t *consumer, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t *partitions,
    void *opaque) {
    (void)opaque;
    if (code != RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        check(rd_kafka_incremental_unassign(consumer, partitions));
        return;
    }
    if (rd_kafka_committed(consumer, partitions, STEP_MILLISECONDS)) fail("no committed offsets");
    for (int index = 0; index < partitions->cnt; index++)
        if (partitions->elems[index].offset < 0)
            partitions->elems[index].offset = RD_KAFKA_OFFSET_BEGINNING;
    check(rd_kafka_incremental_assign(consumer, partitions));
    if (partitions->cnt > 0) fprintf(stderr, "ready\n");
}

static rd_kafka_t *make_consumer(const char *bootstrap, const char *group, const char *topic) {
    rd_kafka_conf_t *configuration = common(bootstrap);
    set(configuration, "group.id", group);
    set(configuration, "partition.assignment.strategy", "cooperative-sticky");
    set(configuration, "isolation.level", "read_committed");
    set(configuration, "enable.auto.commit", "false");
    set(configuration, "enable.auto.offset.store", "false");
    set(configuration, "auto.offset.reset", "error");
    set(configuration, "session.timeout.ms", "6000");
    set(configuration, "heartbeat.interval.ms", "1500");
    set(configuration, "max.poll.interval.ms", "10000");
    set(configuration, "fetch.wait.max.ms", "500");
    set(configuration, "fetch.min.bytes", "1");
    set(configuration, "fetch.error.backoff.ms", "50");
    set(configuration, "queued.min.messages", "1000000");
    set(configuration, "queued.max.messages.kbytes", "65536");
    rd_kafka_conf_set_rebalance_cb(configuration, on_rebalance);
    rd_kafka_t *consumer = make(RD_KAFKA_CONSUMER, configuration);
    rd_kafka_poll_set_consumer(consumer);
    rd_kafka_topic_partition_list_t *topics = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(topics, topic, RD_KAFKA_PARTITION_UA);
    rd_kafka_resp_err_t error = rd_kafka_subscribe(consumer, topics);
    if (error) fail(rd_kafka_err2str(error));
    rd_kafka_topic_partition_list_destroy(topics);
    return consumer;
}

static rd_kafka_t *make_producer(const char *bootstrap, const char *group) {
    char identifier[256];
    snprintf(identifier, sizeof identifier, "%s-peer-%d", group, (int)getpid());
    rd_kafka_conf_t *configuration = common(bootstrap);
    set(configuration, "transactional.id", identifier);
    set(configuration, "transaction.timeout.ms", "5000");
    set(configuration, "enable.idempotence", "true");
    set(configuration, "acks", "all");
    set(configuration, "linger.ms", "0");
    set(configuration, "retry.backoff.ms", "5");
    set(configuration, "compression.type", "lz4");
    set(configuration, "partitioner", "murmur2");
    set(configuration, "delivery.timeout.ms", "5000");
    rd_kafka_t *producer = make(RD_KAFKA_PRODUCER, configuration);
    check(rd_kafka_init_transactions(producer, 6 * STEP_MILLISECONDS));
    return producer;
}

// Collects the messages that have come; waits only for the first one.
static int gather(rd_kafka_t *consumer, rd_kafka_message_t **batch, int limit) {
    int count = 0;
    while (count < limit) {
        rd_kafka_message_t *message = rd_kafka_consumer_poll(consumer, count ? 0 : 100);
        if (!message) break;
        if (message->err) {
            fprintf(stderr, "kafka-transform-peer: %s\n", rd_kafka_message_errstr(message));
            rd_kafka_message_destroy(message);
            continue;
        }
        batch[count++] = message;
    }
    return count;
}

static void transform(
    rd_kafka_t *producer, rd_kafka_t *consumer, rd_kafka_topic_t *output,
    rd_kafka_message_t **batch, int count) {
    check(rd_kafka_begin_transaction(producer));
    rd_kafka_topic_partition_list_t *offsets = rd_kafka_topic_partition_list_new(16);
    for (int index = 0; index < count; index++) {
        rd_kafka_message_t *message = batch[index];
        const char *topic = rd_kafka_topic_name(message->rkt);
        rd_kafka_topic_partition_t *place =
            rd_kafka_topic_partition_list_find(offsets, topic, message->partition);
        if (!place) place = rd_kafka_topic_partition_list_add(offsets, topic, message->partition);
        place->offset = message->offset + 1;
        rd_kafka_resp_err_t error = rd_kafka_producev(
            producer, RD_KAFKA_V_RKT(output), RD_KAFKA_V_PARTITION(RD_KAFKA_PARTITION_UA),
            RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
            RD_KAFKA_V_KEY(message->key, message->key_len),
            RD_KAFKA_V_VALUE(message->payload, message->len), RD_KAFKA_V_END);
        if (error) fail(rd_kafka_err2str(error));
        rd_kafka_message_destroy(message);
    }
    rd_kafka_consumer_group_metadata_t *group = rd_kafka_consumer_group_metadata(consumer);
    check(rd_kafka_send_offsets_to_transaction(producer, offsets, group, STEP_MILLISECONDS));
    check(rd_kafka_commit_transaction(producer, STEP_MILLISECONDS));
    rd_kafka_consumer_group_metadata_destroy(group);
    rd_kafka_topic_partition_list_destroy(offsets);
}

int main(int count, char **arguments) {
    if (count < 5) fail("BOOTSTRAP INPUT OUTPUT GROUP [BATCH]");
    int limit = count > 5 ? atoi(arguments[5]) : 500;
    if (limit < 1 || limit > MAXIMUM_BATCH) fail("BATCH is from 1 to 10000");
    signal(SIGTERM, stop);
    signal(SIGINT, stop);

    rd_kafka_t *producer = make_producer(arguments[1], arguments[4]);
    rd_kafka_topic_t *output = rd_kafka_topic_new(producer, arguments[3], NULL);
    rd_kafka_t *consumer = make_consumer(arguments[1], arguments[4], arguments[2]);
    static rd_kafka_message_t *batch[MAXIMUM_BATCH];
    long records = 0, transactions = 0;
    while (!stopping) {
        int taken = gather(consumer, batch, limit);
        if (!taken) continue;
        transform(producer, consumer, output, batch, taken);
        records += taken;
        transactions++;
    }
    struct timespec work;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &work);
    printf(
        "{\"records\":%ld,\"transactions\":%ld,\"processorSeconds\":%.6f}\n", records, transactions,
        work.tv_sec + work.tv_nsec / 1e9);
    rd_kafka_consumer_close(consumer);
    rd_kafka_destroy(consumer);
    rd_kafka_topic_destroy(output);
    rd_kafka_destroy(producer);
    return 0;
}

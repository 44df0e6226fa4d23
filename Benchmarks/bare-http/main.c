// The peer of `benchmark ingest`: libmicrohttpd with nothing around it. It reads each complete body and
// answers 202 with a small JSON body, on one polling thread, with the same settings as our server.
//
// With brokers it is a relay: it appends each body unchanged to a topic, with a key and headers like
// those of an event, and answers after the brokers' acknowledgement. No server on these two libraries
// can do less, so the difference to our server is the cost of reading, checking and writing scans.
//
// It polls libmicrohttpd's epoll set itself. The internal thread of version 0.9.75 has a fault: when 128
// connections become ready at once, it waits again without handling them. If all clients wait for
// answers then, it stands still.
//
//     bare-http PORT [BROKERS]        prints the port when it listens; ends on a signal
#include <arpa/inet.h>
#include <librdkafka/rdkafka.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { maximumBodyBytes = 65536 };
enum { receiving, appended, acknowledged, answered };

struct Upload {
    size_t count;
    size_t capacity;
    char *bytes;
    atomic_int state;
};

// The relay's topic; null without brokers.
static rd_kafka_t *producer;
static rd_kafka_topic_t *topic;
static int pending;
static int wake;
static atomic_int isAsleep, hasAnswers;

static const char accepted[] = "{\"accepted\":1,\"rejected\":[]}";

static enum MHD_Result take(struct Upload *upload, const char *data, size_t count, size_t declared) {
    if (upload->count + count > maximumBodyBytes) return MHD_NO;
    if (upload->count + count > upload->capacity) {
        size_t capacity = upload->count + count > declared ? upload->count + count : declared;
        char *bytes = realloc(upload->bytes, capacity);
        if (bytes == NULL) return MHD_NO;
        upload->bytes = bytes;
        upload->capacity = capacity;
    }
    memcpy(upload->bytes + upload->count, data, count);
    upload->count += count;
    return MHD_YES;
}

static enum MHD_Result answer(struct MHD_Connection *connection) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
        sizeof accepted - 1, (void *)accepted, MHD_RESPMEM_PERSISTENT);
    if (response == NULL) return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_ACCEPTED, response);
    MHD_destroy_response(response);
    return result;
}

// The loop checks each pending request at every turn; suspending requests would cost more.
static enum MHD_Result relay(struct MHD_Connection *connection, struct Upload *upload) {
    static unsigned device;
    static const char *const headers[][2] = {
        {"ce_specversion", "1.0"}, {"ce_id", "00000000-0000-0000-0000-000000000000"},
        {"ce_source", "/scan-ingest"}, {"ce_type", "whereabouts.scan.recorded.v1"},
        {"ce_time", "2026-11-21T08:00:00.000Z"}, {"ce_site", "bush-house"},
        {"content-type", "application/json"}};
    if (upload->state == receiving) {
        char key[32];
        int length = snprintf(key, sizeof key, "bush-house/pi-%u", 1000 + device++ % 64);
        rd_kafka_headers_t *made = rd_kafka_headers_new(8);
        for (size_t index = 0; index < sizeof headers / sizeof *headers; index++) {
            rd_kafka_header_add(made, headers[index][0], -1, headers[index][1], -1);
        }
        upload->state = appended;
        pending++;
        rd_kafka_producev(
            producer, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(RD_KAFKA_PARTITION_UA),
            RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(key, length),
            RD_KAFKA_V_VALUE(upload->bytes, upload->count), RD_KAFKA_V_OPAQUE(upload),
            RD_KAFKA_V_HEADERS(made), RD_KAFKA_V_END);
    } else if (upload->state == acknowledged) {
        upload->state = answered;
        pending--;
        return answer(connection);
    }
    return MHD_YES;
}

static void onDelivery(rd_kafka_t *client, const rd_kafka_message_t *message, void *context) {
    (void)client, (void)context;
    if (message->err) {
        fprintf(stderr, "bare-http: %s\n", rd_kafka_err2str(message->err));
        exit(1);
    }
    struct Upload *upload = message->_private;
    upload->state = acknowledged;
    hasAnswers = 1;
    if (atomic_exchange(&isAsleep, 0)) eventfd_write(wake, 1);
}

static void *serveDeliveries(void *context) {
    for (;;) rd_kafka_poll(producer, 1000);
    return context;
}

static void connectTo(const char *brokers) {
    // The same settings as those of our log's producer.
    const char *const settings[][2] = {
        {"bootstrap.servers", brokers}, {"linger.ms", "5"}, {"compression.type", "lz4"},
        {"enable.idempotence", "true"}, {"acks", "all"}, {"partitioner", "murmur2"}};
    char problem[256];
    rd_kafka_conf_t *configuration = rd_kafka_conf_new();
    for (size_t index = 0; index < sizeof settings / sizeof *settings; index++) {
        if (rd_kafka_conf_set(configuration, settings[index][0], settings[index][1], problem,
                              sizeof problem) != RD_KAFKA_CONF_OK) {
            fprintf(stderr, "bare-http: %s\n", problem);
            exit(64);
        }
    }
    rd_kafka_conf_set_dr_msg_cb(configuration, onDelivery);
    producer = rd_kafka_new(RD_KAFKA_PRODUCER, configuration, problem, sizeof problem);
    if (producer == NULL || (topic = rd_kafka_topic_new(producer, "relay", NULL)) == NULL) {
        fprintf(stderr, "bare-http: the producer could not be made\n");
        exit(1);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, serveDeliveries, NULL);
}

static enum MHD_Result onRequest(
    void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *data, size_t *count, void **slot) {
    (void)context, (void)url, (void)method, (void)version;
    if (*slot == NULL) {
        *slot = calloc(1, sizeof(struct Upload));
        return *slot == NULL ? MHD_NO : MHD_YES;
    }
    if (*count == 0) return topic == NULL ? answer(connection) : relay(connection, *slot);
    const char *declared = MHD_lookup_connection_value(
        connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    enum MHD_Result result =
        take(*slot, data, *count, declared == NULL ? 0 : strtoul(declared, NULL, 10));
    *count = 0;
    return result;
}

static void onCompleted(
    void *context, struct MHD_Connection *connection, void **slot,
    enum MHD_RequestTerminationCode code) {
    (void)context, (void)connection, (void)code;
    struct Upload *upload = *slot;
    if (upload == NULL) return;
    free(upload->bytes);
    free(upload);
    *slot = NULL;
}

int main(int count, char **arguments) {
    if (count != 2 && count != 3) {
        fprintf(stderr, "usage: bare-http PORT [BROKERS]\n");
        return 64;
    }
    if (count == 3) connectTo(arguments[2]);
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((unsigned short)atoi(arguments[1])),
        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)},
    };
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL, 0, NULL, NULL, onRequest, NULL,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, 4096u,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u, MHD_OPTION_CONNECTION_TIMEOUT, 60u,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384, MHD_OPTION_NOTIFY_COMPLETED, onCompleted,
        NULL, MHD_OPTION_END);
    if (daemon == NULL) {
        perror("bare-http");
        return 1;
    }
    printf("%d\n", (int)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    wake = eventfd(0, EFD_NONBLOCK);
    struct pollfd ready[] = {
        {.fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN},
        {.fd = wake, .events = POLLIN}};
    for (;;) {
        MHD_UNSIGNED_LONG_LONG patience = 1000;
        if (pending > 0) {
            patience = 1;
        } else if (MHD_get_timeout(daemon, &patience) != MHD_YES || patience > 1000) {
            patience = 1000;
        }
        isAsleep = 1;
        poll(ready, topic == NULL ? 1 : 2, hasAnswers ? 0 : (int)patience);
        isAsleep = 0;
        hasAnswers = 0;
        if (ready[1].revents) eventfd_read(wake, &(eventfd_t){0});
        // With many pending requests, a short wait saves many turns, as in our server.
        if (pending >= 32) usleep(pending / 4);
        MHD_run(daemon);
    }
}

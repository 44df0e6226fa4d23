// The peer of `benchmark ingest`: libmicrohttpd with nothing around it. It reads each body whole and
// answers 202 with a small JSON body, on one polling thread, with the settings that our server uses.
//
// It polls libmicrohttpd's epoll set itself: the internal thread of version 0.9.75 waits again
// without having handled what it got when 128 connections become ready at once, and stands still
// when all of the clients wait for their answers.
//
//     bare-http PORT        prints the port when it listens; ends on a signal
#include <arpa/inet.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { maximumBodyBytes = 65536 };

struct Upload {
    size_t count;
    size_t capacity;
    char *bytes;
};

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

static enum MHD_Result onRequest(
    void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *data, size_t *count, void **slot) {
    (void)context, (void)url, (void)method, (void)version;
    if (*slot == NULL) {
        *slot = calloc(1, sizeof(struct Upload));
        return *slot == NULL ? MHD_NO : MHD_YES;
    }
    if (*count == 0) return answer(connection);
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
    if (count != 2) {
        fprintf(stderr, "usage: bare-http PORT\n");
        return 64;
    }
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
    struct pollfd ready = {
        .fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN};
    for (;;) {
        MHD_UNSIGNED_LONG_LONG patience;
        int hasPatience = MHD_get_timeout(daemon, &patience) == MHD_YES;
        poll(&ready, 1, hasPatience && patience < 1000 ? (int)patience : 1000);
        MHD_run(daemon);
    }
}

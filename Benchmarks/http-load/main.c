// Sends requests to an HTTP server: keep-alive connections with one POST in flight on each, as fast as
// the server answers. It replaces each all-zero UUID in a body by a new one in each request.
//
//     http-load [--token TOKEN] [--requests N] HOST PORT PATH CONNECTIONS SECONDS BODYFILE...
//
// Ends after SECONDS, or after N answers if that is sooner, and prints one line of JSON.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static const char placeholder[] = "00000000-0000-0000-0000-000000000000";
enum { uuidBytes = 36, maximumMarks = 1024, answerBytes = 16384 };

struct Message {
    char *bytes;
    size_t count;
    size_t marks[maximumMarks];
    size_t markCount;
};

struct Connection {
    int socket;
    const struct Message *message;
    char *request;
    size_t sent;
    char answer[answerBytes];
    size_t received;
    uint64_t bodyLeft;
    int hasHead;
    int status;
    int mustClose;
    double startedSeconds;
};

static struct sockaddr_in address;
static struct Message *messages;
static size_t messageCount, nextMessage;
static size_t statuses[600], requests, broken;
static float *latencies;
static size_t latencyCapacity;
static uint64_t randomState[2];
static int epoll;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

// xoroshiro128+ (Blackman and Vigna 2018): ids must differ, not be secret.
static uint64_t nextRandom(void) {
    uint64_t a = randomState[0], b = randomState[1], sum = a + b;
    b ^= a;
    randomState[0] = (a << 24 | a >> 40) ^ b ^ (b << 16);
    randomState[1] = b << 37 | b >> 27;
    return sum;
}

static void writeUUID(char *text) {
    static const char digits[] = "0123456789abcdef";
    uint64_t bits[2] = {nextRandom(), nextRandom()};
    bits[0] = (bits[0] & ~0xF000ull) | 0x4000;
    bits[1] = (bits[1] & ~(0xC0ull << 56)) | 0x80ull << 56;
    for (int i = 0, digit = 0; i < uuidBytes; i++) {
        if (placeholder[i] == '-') continue;
        text[i] = digits[bits[digit / 16] >> (60 - digit % 16 * 4) & 15];
        digit++;
    }
}

static void prepare(struct Message *message, const char *file, const char *head) {
    FILE *input = fopen(file, "rb");
    if (input == NULL) fail(file);
    char *body = NULL;
    size_t count = 0, capacity = 0, got;
    do {
        if (capacity - count < 65536) body = realloc(body, capacity += 1 << 20);
        if (body == NULL) fail("realloc");
        got = fread(body + count, 1, capacity - count, input);
        count += got;
    } while (got > 0);
    fclose(input);
    char *line = NULL;
    int headCount = asprintf(&line, "%sContent-Length: %zu\r\n\r\n", head, count);
    if (headCount < 0) fail("asprintf");
    message->count = (size_t)headCount + count;
    message->bytes = malloc(message->count);
    if (message->bytes == NULL) fail("malloc");
    memcpy(message->bytes, line, (size_t)headCount);
    memcpy(message->bytes + headCount, body, count);
    free(line);
    free(body);
    char *at = message->bytes, *end = message->bytes + message->count;
    while (message->markCount < maximumMarks
           && (at = memmem(at, (size_t)(end - at), placeholder, uuidBytes)) != NULL) {
        message->marks[message->markCount++] = (size_t)(at - message->bytes);
        at += uuidBytes;
    }
}

static void connectTo(struct Connection *connection) {
    connection->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->socket < 0) fail("socket");
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    int yes = 1;
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = connection};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &event) != 0) fail("epoll_ctl");
}

// Returns false if the connection is broken.
static int sendRest(struct Connection *connection) {
    while (connection->sent < connection->message->count) {
        ssize_t count = send(
            connection->socket, connection->request + connection->sent,
            connection->message->count - connection->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0) return errno == EAGAIN;
        connection->sent += (size_t)count;
    }
    return 1;
}

static int begin(struct Connection *connection) {
    const struct Message *message = &messages[nextMessage++ % messageCount];
    connection->message = message;
    memcpy(connection->request, message->bytes, message->count);
    for (size_t i = 0; i < message->markCount; i++) {
        writeUUID(connection->request + message->marks[i]);
    }
    connection->sent = connection->received = 0;
    connection->hasHead = 0;
    connection->startedSeconds = now();
    return sendRest(connection);
}

// Parses an answer's head once it is complete; every answer must have a Content-Length.
static int takeHead(struct Connection *connection) {
    connection->answer[connection->received] = 0;
    char *end = strstr(connection->answer, "\r\n\r\n");
    if (end == NULL) return connection->received < answerBytes - 1;
    connection->status = atoi(connection->answer + 9);
    *end = 0;
    char *length = strcasestr(connection->answer, "\r\ncontent-length:");
    connection->mustClose = strcasestr(connection->answer, "\r\nconnection: close") != NULL;
    uint64_t body = length == NULL ? 0 : strtoull(length + 17, NULL, 10);
    uint64_t got = connection->received - (size_t)(end + 4 - connection->answer);
    connection->bodyLeft = body > got ? body - got : 0;
    connection->hasHead = 1;
    connection->received = 0;
    return 1;
}

static void count(struct Connection *connection) {
    if (requests == latencyCapacity) {
        latencyCapacity = latencyCapacity ? latencyCapacity * 2 : 1 << 20;
        latencies = realloc(latencies, latencyCapacity * sizeof *latencies);
        if (latencies == NULL) fail("realloc");
    }
    latencies[requests++] = (float)((now() - connection->startedSeconds) * 1000);
    statuses[connection->status > 0 && connection->status < 600 ? connection->status : 0]++;
}

// Sends and receives what is ready. Returns 0 if the connection is broken, 2 if it must be opened again.
static int serve(struct Connection *connection) {
    if (!sendRest(connection)) return 0;
    for (;;) {
        char *into = connection->answer + (connection->hasHead ? 0 : connection->received);
        size_t room = answerBytes - 1 - (size_t)(into - connection->answer);
        ssize_t got = recv(connection->socket, into, room, MSG_DONTWAIT);
        if (got < 0) return errno == EAGAIN;
        if (got == 0) return 0;
        if (connection->hasHead) {
            connection->bodyLeft -= (uint64_t)got < connection->bodyLeft ? (uint64_t)got
                                                                         : connection->bodyLeft;
        } else {
            connection->received += (size_t)got;
            if (!takeHead(connection)) return 0;
        }
        if (connection->hasHead && connection->bodyLeft == 0) {
            count(connection);
            if (connection->mustClose) return 2;
            // The next answer cannot be there yet; epoll reports it later.
            return begin(connection);
        }
    }
}

static int ascending(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static void print(double seconds) {
    qsort(latencies, requests, sizeof *latencies, ascending);
    size_t ok = 0;
    for (int status = 200; status < 300; status++) ok += statuses[status];
    printf(
        "{\"requests\":%zu,\"ok\":%zu,\"broken\":%zu,\"seconds\":%.3f,\"requestsPerSecond\":%.1f,"
        "\"latencyMillisecondsP50\":%.3f,\"latencyMillisecondsP99\":%.3f,\"statuses\":{",
        requests, ok, broken, seconds, (double)requests / seconds,
        requests ? latencies[requests / 2] : 0, requests ? latencies[requests * 99 / 100] : 0);
    const char *separator = "";
    for (int status = 0; status < 600; status++) {
        if (statuses[status] == 0) continue;
        printf("%s\"%d\":%zu", separator, status, statuses[status]);
        separator = ",";
    }
    printf("}}\n");
}

static void run(struct Connection *connections, size_t connectionCount, double limit, size_t most) {
    double start = now();
    for (size_t i = 0; i < connectionCount; i++) connectTo(&connections[i]);
    for (size_t i = 0; i < connectionCount; i++) begin(&connections[i]);
    struct epoll_event events[512];
    while (now() - start < limit && requests < most) {
        int ready = epoll_wait(epoll, events, 512, 100);
        for (int i = 0; i < ready && requests < most; i++) {
            struct Connection *connection = events[i].data.ptr;
            int result = serve(connection);
            if (result == 1) continue;
            if (result == 0) broken++;
            close(connection->socket);
            connectTo(connection);
            begin(connection);
        }
    }
    print(now() - start);
}

static int usage(void) {
    fprintf(
        stderr, "usage: http-load [--token TOKEN] [--requests N] "
                "HOST PORT PATH CONNECTIONS SECONDS BODYFILE...\n");
    return 64;
}

int main(int count, char **arguments) {
    const char *token = NULL;
    size_t most = SIZE_MAX;
    int at = 1;
    for (; at + 1 < count && strncmp(arguments[at], "--", 2) == 0; at += 2) {
        if (strcmp(arguments[at], "--token") == 0) token = arguments[at + 1];
        else if (strcmp(arguments[at], "--requests") == 0) most = strtoul(arguments[at + 1], NULL, 10);
        else return usage();
    }
    if (count - at < 6) return usage();
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)atoi(arguments[at + 1]));
    size_t connectionCount = strtoul(arguments[at + 3], NULL, 10);
    if (inet_pton(AF_INET, arguments[at], &address.sin_addr) != 1 || connectionCount == 0) return usage();
    char *head = NULL;
    if (asprintf(
            &head, "POST %s HTTP/1.1\r\nHost: %s:%s\r\nContent-Type: application/json\r\n%s%s%s",
            arguments[at + 2], arguments[at], arguments[at + 1],
            token ? "Authorization: Bearer " : "", token ? token : "", token ? "\r\n" : "") < 0) {
        fail("asprintf");
    }
    messageCount = (size_t)(count - at - 5);
    messages = calloc(messageCount, sizeof *messages);
    struct Connection *connections = calloc(connectionCount, sizeof *connections);
    if (messages == NULL || connections == NULL) fail("calloc");
    size_t longest = 0;
    for (size_t i = 0; i < messageCount; i++) {
        prepare(&messages[i], arguments[(size_t)at + 5 + i], head);
        if (messages[i].count > longest) longest = messages[i].count;
    }
    for (size_t i = 0; i < connectionCount; i++) {
        connections[i].request = malloc(longest);
        if (connections[i].request == NULL) fail("malloc");
    }
    randomState[0] = (uint64_t)(now() * 1e9) ^ (uint64_t)getpid() << 32;
    randomState[1] = 0x9E3779B97F4A7C15;
    epoll = epoll_create1(0);
    if (epoll < 0) fail("epoll_create1");
    run(connections, connectionCount, strtod(arguments[at + 4], NULL), most);
    return 0;
}

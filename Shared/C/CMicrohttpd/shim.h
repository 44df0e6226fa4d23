#pragma once
// Swift cannot call functions with variable arguments; these name the calls that the server makes.
#include <microhttpd.h>
// Not in the Glibc module.
#include <sys/epoll.h>
#include <sys/eventfd.h>

struct ServerStart {
    unsigned int flags;
    int listenSocket;
    unsigned int connectionLimit;
    unsigned int idleTimeoutSeconds;
    size_t connectionMemoryBytes;
    void *context;
    MHD_AcceptPolicyCallback mayConnect;
    MHD_AccessHandlerCallback onRequest;
    void *(*onTarget)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback onCompleted;
    MHD_NotifyConnectionCallback onConnection;
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
};

static inline struct MHD_Daemon *startServer(const struct ServerStart *start) {
    return MHD_start_daemon(
        start->flags, 0, start->mayConnect, start->context, start->onRequest, start->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)start->listenSocket,
        MHD_OPTION_CONNECTION_LIMIT, start->connectionLimit,
        MHD_OPTION_CONNECTION_TIMEOUT, start->idleTimeoutSeconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, start->connectionMemoryBytes,
        MHD_OPTION_URI_LOG_CALLBACK, start->onTarget, start->context,
        MHD_OPTION_NOTIFY_COMPLETED, start->onCompleted, start->context,
        MHD_OPTION_NOTIFY_CONNECTION, start->onConnection, start->context,
        MHD_OPTION_UNESCAPE_CALLBACK, start->unescape, start->context,
        MHD_OPTION_END);
}

static inline int connectionSocket(struct MHD_Connection *connection) {
    return (int)MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static inline void *connectionContext(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static inline const struct sockaddr *connectionAddress(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

static inline int daemonSocket(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

// Of the whole head, so the fields take less.
static inline size_t requestHeadBytes(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
}

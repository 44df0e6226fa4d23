#pragma once
// Swift cannot call functions with variable arguments; these fix the type of each.
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

typedef size_t (*TransferCallback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode setNumber(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode setText(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode setPointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode setCallback(CURL *handle, CURLoption option, TransferCallback value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode getNumber(CURL *handle, CURLINFO what, long *value) {
    return curl_easy_getinfo(handle, what, value);
}
static inline CURLcode getCertificates(CURL *handle, struct curl_certinfo **value) {
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value);
}
static inline CURLMcode setMultiNumber(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLcode finishedResult(const CURLMsg *message) { return message->data.result; }
static inline CURLcode setSocketCallback(CURL *handle, curl_opensocket_callback value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode setRequestCallback(CURL *handle, curl_prereq_callback value) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode getCookies(CURL *handle, struct curl_slist **value) {
    return curl_easy_getinfo(handle, CURLINFO_COOKIELIST, value);
}
static const curl_socket_t noSocket = CURL_SOCKET_BAD;
// The 4 or 16 bytes of an address; 0 for another family. The structure is longer than its type.
static inline int addressBytes(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

#pragma once
// Swift cannot call functions with variable arguments; these fix the type of each.
#include <curl/curl.h>

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

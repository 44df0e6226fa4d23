// The peer of `benchmark feeds`: libcurl and libical alone, one feed after the other.
//
//     feeds-peer LIST CERTIFICATES ROUNDS [all]
//
// LIST has an address in each line. Each round asks for all of them over connections that stay open,
// with the ETag of the round before. An answer of 200 is parsed, and its events are expanded from a week
// ago to 400 days ahead. With `all` nothing is remembered between rounds; otherwise an answer that has
// the bytes of the one before is not parsed again. Prints one line of JSON: the milliseconds of processor
// time of each round but the first, and the instances of all feeds.
#include <curl/curl.h>
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct bytes {
    char *data;
    size_t size, capacity;
};

struct feed {
    char url[256];
    char tag[128];
    struct bytes body;
    long instances;
};

static struct feed *feeds;
static size_t feed_count;
static char answered_tag[128];

static double processor_milliseconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
        + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static size_t receive(char *data, size_t size, size_t count, void *context) {
    struct bytes *body = context;
    size *= count;
    if (body->size + size + 1 > body->capacity) {
        body->capacity = (body->size + size + 1) * 2;
        body->data = realloc(body->data, body->capacity);
    }
    memcpy(body->data + body->size, data, size);
    body->size += size;
    body->data[body->size] = 0;
    return size;
}

static size_t receive_header(char *data, size_t size, size_t count, void *context) {
    (void)context;
    size *= count;
    if (size > 6 && size < sizeof answered_tag && strncasecmp(data, "etag: ", 6) == 0) {
        size_t length = size - 6;
        while (length > 0 && (data[6 + length - 1] == '\r' || data[6 + length - 1] == '\n')) length--;
        memcpy(answered_tag, data + 6, length);
        answered_tag[length] = 0;
    }
    return size;
}

static void count_instance(icalcomponent *component, struct icaltime_span *span, void *context) {
    (void)component;
    (void)span;
    ++*(long *)context;
}

static void parse(struct feed *feed) {
    time_t now = time(NULL);
    icaltimetype from = icaltime_from_timet_with_zone(now - 7 * 86400, 0, icaltimezone_get_utc_timezone());
    icaltimetype to = icaltime_from_timet_with_zone(now + 400 * 86400, 0, icaltimezone_get_utc_timezone());
    icalcomponent *calendar = icalparser_parse_string(feed->body.data);
    if (!calendar) {
        fprintf(stderr, "%s can't be read\n", feed->url);
        exit(1);
    }
    feed->instances = 0;
    for (icalcomponent *event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT); event;
         event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
        icalcomponent_foreach_recurrence(event, from, to, count_instance, &feed->instances);
    }
    icalcomponent_free(calendar);
}

static void fetch(CURL *curl, struct feed *feed, int remembers) {
    struct curl_slist *headers = NULL;
    char line[160];
    if (remembers && feed->tag[0]) {
        snprintf(line, sizeof line, "If-None-Match: %s", feed->tag);
        headers = curl_slist_append(headers, line);
    }
    struct bytes body = {0};
    answered_tag[0] = 0;
    curl_easy_setopt(curl, CURLOPT_URL, feed->url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
    CURLcode result = curl_easy_perform(curl);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    if (result != CURLE_OK || (status != 200 && status != 304)) {
        fprintf(stderr, "%s: %s, %ld\n", feed->url, curl_easy_strerror(result), status);
        exit(1);
    }
    if (status == 304) {
        free(body.data);
        return;
    }
    strcpy(feed->tag, answered_tag);
    int is_same = remembers && body.size == feed->body.size
        && memcmp(body.data, feed->body.data, body.size) == 0;
    free(feed->body.data);
    feed->body = body;
    if (!is_same) parse(feed);
}

static void read_list(const char *path) {
    FILE *list = fopen(path, "r");
    if (!list) {
        perror(path);
        exit(2);
    }
    char line[256];
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = 0;
        feeds = realloc(feeds, (feed_count + 1) * sizeof *feeds);
        memset(&feeds[feed_count], 0, sizeof *feeds);
        strcpy(feeds[feed_count++].url, line);
    }
    fclose(list);
}

int main(int count, char **arguments) {
    if (count != 4 && count != 5) {
        fprintf(stderr, "usage: %s LIST CERTIFICATES ROUNDS [all]\n", arguments[0]);
        return 2;
    }
    read_list(arguments[1]);
    int rounds = atoi(arguments[3]);
    if (feed_count == 0 || rounds < 2) return 2;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_CAINFO, arguments[2]);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_header);
    curl_easy_setopt(curl, CURLOPT_MAXCONNECTS, 128L);
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    printf("{\"milliseconds\": [");
    for (int round = 0; round < rounds; round++) {
        double before = processor_milliseconds();
        for (size_t index = 0; index < feed_count; index++) fetch(curl, &feeds[index], count == 4);
        double spent = processor_milliseconds() - before;
        if (round > 0) printf("%s%.3f", round > 1 ? ", " : "", spent);
    }
    long instances = 0;
    for (size_t index = 0; index < feed_count; index++) instances += feeds[index].instances;
    printf("], \"feeds\": %zu, \"instances\": %ld}\n", feed_count, instances);
    return 0;
}

#pragma once
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

/// rd_kafka_producev takes variable arguments, which Swift can't call. The payload and the key are
/// copied. The headers belong to librdkafka when this succeeds, else they stay the caller's. A
/// timestamp of 0 is the present time.
static inline rd_kafka_resp_err_t kafka_shim_produce(
    rd_kafka_t *producer, rd_kafka_topic_t *topic, int32_t partition, const void *key,
    size_t key_length, const void *value, size_t value_length, int64_t timestamp,
    rd_kafka_headers_t *headers, void *opaque) {
    if (headers) {
        return rd_kafka_producev(
            producer, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(partition),
            RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(key, key_length),
            RD_KAFKA_V_VALUE((void *)value, value_length), RD_KAFKA_V_OPAQUE(opaque),
            RD_KAFKA_V_TIMESTAMP(timestamp),
            RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END);
    }
    return rd_kafka_producev(
        producer, RD_KAFKA_V_RKT(topic), RD_KAFKA_V_PARTITION(partition),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(key, key_length),
        RD_KAFKA_V_VALUE((void *)value, value_length), RD_KAFKA_V_OPAQUE(opaque),
        RD_KAFKA_V_TIMESTAMP(timestamp),
        RD_KAFKA_V_END);
}
